import { expect, it } from 'vitest';
import { startJobs } from '../rest/jobs/job-cluster.js';


it('the environment tells the JVM and its class path, never variables', async () => {
  await using cluster = await startJobs('1.16.3', []);
  const environment = await cluster.get('/jobmanager/environment');
  expect(Object.keys(environment)).toEqual(['jvm', 'classpath']);
  expect(Object.keys(environment['jvm'] as object)).toEqual(['version', 'arch', 'options']);
});

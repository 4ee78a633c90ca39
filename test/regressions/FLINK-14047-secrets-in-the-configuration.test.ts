import { expect, it } from 'vitest';
import { startJobs } from '../rest/jobs/job-cluster.js';


it.each(['1.10.3', '2.3.0'])('values of secret options are hidden (%s)', async (version) => {
  await using cluster = await startJobs(version, [], 5, { options: { 's3.secret-key': 'abc', 'security.ssl.keystore-password': 'def', 'rest.port': '8501' } });
  const options = (await cluster.get('/jobmanager/config')) as unknown as { key: string; value: string }[];
  const value = (key: string) => options.find((option) => option.key === key)?.value;
  expect([value('s3.secret-key'), value('security.ssl.keystore-password')]).toEqual(['******', '******']);
  expect(value('rest.port')).not.toBe('******');
});

import path from 'node:path';
import { installed, runWell } from './tools.js';

/** The schema fuzzer's command. */
export async function installSchemathesis(): Promise<string> {
  const folder = await installed('schemathesis-1', async (into) => {
    await runWell('python3', ['-m', 'venv', into]);
    await runWell(path.join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'schemathesis==4.32.5']);
  });
  return path.join(folder, 'bin/schemathesis');
}

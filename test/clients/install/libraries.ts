import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed, runWell } from './tools.js';

const PYTHON_PACKAGES = ['flink-rest-client==1.0.8', 'flink-job-manager-api==1.0.2', 'flink-mcp-server==0.4.2'];
const NODE_PACKAGE = '@tensorsmart/flink-typescript@1.16.0';

/** The interpreter of a virtual environment that has the Python clients. */
export async function installPythonClients(): Promise<string> {
  const folder = await installed('python-1', async (into) => {
    await runWell('python3', ['-m', 'venv', into]);
    await runWell(path.join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PYTHON_PACKAGES]);
  });
  return path.join(folder, 'bin/python');
}

/** Folder of the installed npm client. */
export async function installNodeClient(): Promise<string> {
  const folder = await installed('node-1', async (into) => {
    await runWell('npm', ['install', '--prefix', into, '--no-audit', '--no-fund', '--silent', NODE_PACKAGE]);
    // generated code that needs them, but does not say so
    await runWell('npm', ['install', '--prefix', into, '--no-audit', '--no-fund', '--silent', 'axios@1', 'form-data@4']);
  });
  return path.join(folder, 'node_modules/@tensorsmart/flink-typescript');
}

/** The Go program, built. */
export async function installGoClient(): Promise<string> {
  const sources = fileURLToPath(new URL('../go', import.meta.url));
  const folder = await installed('go-1', async (into) => {
    cpSync(sources, into, { recursive: true });
    await runWell('go', ['build', '-o', 'client', '.'], { cwd: into });
  });
  return path.join(folder, 'client');
}

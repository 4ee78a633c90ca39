// Calls every GET method of @tensorsmart/flink-typescript whose parameters are known, and three that change something. Arguments: the package's folder, values as JSON.
const [packageFolder, json] = process.argv.slice(2);
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { DefaultService, OpenAPI } = require(packageFolder);
const values = JSON.parse(json);
OpenAPI.BASE = `http://127.0.0.1:${values.port}/v1`;
// the parameters' names are erased in the compiled package
const source = readFileSync(path.join(packageFolder, 'src/services/DefaultService.ts'), 'utf8');

const TRIGGERS = { getSavepointStatus: 'savepoint', getSavepointDisposalStatus: 'disposal' };

async function call(name, args) {
  try {
    const value = await DefaultService[name](...args);
    console.log(`${name} -> ${Array.isArray(value) ? 'array' : typeof value}`);
    return value;
  } catch (error) {
    console.log(`${name} !! ${error.name}: ${String(error.message).split('\n')[0]}`);
    return undefined;
  }
}

async function main() {
  const METHOD = /public static (get\w+)\(([^)]*)\): CancelablePromise/g;
  for (const [, name, list] of source.matchAll(METHOD)) {
    const names = list.split(',').map((part) => part.trim().split(/[?:]/)[0]).filter((part) => part !== '');
    const required = list.split(',').map((part) => part.trim()).filter((part) => part !== '' && !/^\w+\?/.test(part)).map((part) => part.split(':')[0]);
    const value = (key) => (key === 'triggerid' ? values.triggers[TRIGGERS[name]] : values[key]);
    const missing = required.filter((key) => value(key) === undefined);
    if (missing.length > 0) console.log(`${name}: no value for ${missing}`);
    else await call(name, names.map((key) => (required.includes(key) ? value(key) : undefined)));
  }
  await call('getJobMetrics', [values.jobid, 'uptime']);
  await call('triggerSavepoint', [values.jobid, { 'cancel-job': false }]);
  await call('triggerStopWithSavepoint', [values.toStop, { drain: false }]);
  await call('cancelJob', [values.toCancel, 'cancel']);
}
main();

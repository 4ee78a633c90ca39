'use strict';
// `npm start`: builds if something changed, then is the command line, without another process between.
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { isStale } = require('./stale.cjs');

if (isStale()) {
  const built = spawnSync(process.execPath, [path.join(__dirname, 'build.mjs')], { stdio: 'inherit' });
  if (built.status !== 0) process.exit(built.status ?? 1);
}
const { compileProgram } = require('../dist/mock-flink.cjs');
void compileProgram().load().main(process.argv.slice(2));

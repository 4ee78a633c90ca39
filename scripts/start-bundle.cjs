#!/usr/bin/env node
'use strict';
// Starts the command line from one file, with V8's compiled code of it where this Node can use that (see scripts/bundle-cli.mjs).
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const vm = require('node:vm');

/** Compiles the bundle; `cachedData` of another Node is refused by V8, which then compiles as it needs. */
function compileProgram() {
  const file = path.join(__dirname, 'program.cjs');
  let cachedData;
  try {
    cachedData = fs.readFileSync(path.join(__dirname, 'program.cache'));
  } catch {
    // Without it the start takes a little longer.
  }
  // The bundle is ASCII; as Latin-1 it is read without decoding.
  const source = `(function (exports, require, module, __filename, __dirname, __urlInDist) {${fs.readFileSync(file, 'latin1')}\n})`;
  const script = new vm.Script(source, { filename: file, cachedData, importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER });
  const load = () => {
    const module = { exports: {} };
    const urlInDist = (name) => pathToFileURL(path.join(__dirname, name)).href;
    script.runInThisContext().call(module.exports, module.exports, require, module, file, __dirname, urlInDist);
    return module.exports;
  };
  return { script, load };
}

if (require.main === module) void compileProgram().load().main(process.argv.slice(2));

module.exports = { compileProgram };

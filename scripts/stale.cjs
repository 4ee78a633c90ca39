'use strict';
// Whether dist/ is older than something it is made from.
const fs = require('node:fs');
const path = require('node:path');

const root = path.dirname(__dirname);
const stamp = path.join(root, 'dist', '.built');
const inputs = ['src', 'scenarios', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.console.json'].map((name) => path.join(root, name));

/** Whether a file, or one below a folder, was changed after an instant (ms). */
function isNewer(place, thanMs) {
  const info = fs.statSync(place, { throwIfNoEntry: false });
  if (info === undefined) return false;
  if (info.mtimeMs > thanMs) return true;
  return info.isDirectory() && fs.readdirSync(place).some((name) => isNewer(path.join(place, name), thanMs));
}

function isStale() {
  // An installed package carries dist/ without src/: nothing to build there.
  if (!fs.existsSync(inputs[0])) return false;
  const built = fs.statSync(stamp, { throwIfNoEntry: false });
  return built === undefined || inputs.some((place) => isNewer(place, built.mtimeMs));
}

module.exports = { inputs, isStale, stamp };

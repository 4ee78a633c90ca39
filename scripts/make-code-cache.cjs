'use strict';
// Runs the bundled command line once, asks it what a first client asks, and keeps V8's compiled code of what was run.
const fs = require('node:fs');
const path = require('node:path');

const dist = path.join(__dirname, '..', 'dist');
const { script, load } = require(path.join(dist, 'mock-flink.cjs')).compileProgram();
const PATHS = ['/overview', '/config', '/jobs/overview', '/taskmanagers', '/'];

async function warm() {
  let banner = '';
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text, ...rest) => {
    banner += text;
    return write(text, ...rest);
  };
  const ended = load().main(['serve', '--port', '0']);
  while (!banner.includes('Ctrl-C')) await Promise.race([new Promise((resolve) => setTimeout(resolve, 10)), ended]);
  const url = /curl (http:\S+)\/jobs\/overview/.exec(banner)[1];
  for (const at of PATHS) {
    const answer = await fetch(url + at);
    if (answer.status !== 200) throw new Error(`${at} answered ${answer.status}`);
    await answer.text();
  }
  fs.writeFileSync(path.join(dist, 'program.cache'), script.createCachedData());
  process.kill(process.pid, 'SIGTERM');
  await ended;
}

warm().catch((error) => {
  console.error(error);
  process.exit(1);
});

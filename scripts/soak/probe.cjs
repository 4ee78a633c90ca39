'use strict';
// Loaded into the server before it starts (`--require`): tells its parent of heap, event loop and what went wrong unheard.
const { createHistogram, monitorEventLoopDelay, performance } = require('node:perf_hooks');

const RESOLUTION_MS = 1;
const NANOSECONDS_PER_MS = 1e6;
const MICROSECONDS_PER_MS = 1e3;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
// What the process itself did between two turns: what it is late by when nobody else needs the processor. Microseconds.
const work = createHistogram();
let processorUs = 0;
const processorNow = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
setInterval(() => {
  const now = processorNow();
  if (processorUs > 0 && now > processorUs) work.record(now - processorUs);
  processorUs = now;
}, RESOLUTION_MS).unref();
const complaints = [];
const note = (kind, what) => complaints.length < 100 && complaints.push(`${kind}: ${what instanceof Error ? what.stack : String(what)}`);

process.on('unhandledRejection', (reason) => note('unhandled rejection', reason));
process.on('uncaughtExceptionMonitor', (error) => note('uncaught', error));
process.on('warning', (warning) => note('warning', warning));

function sample() {
  // A forced collection stops the process: it is no delay of the server's own.
  delay.disable();
  for (let i = 0; i < 2; i++) globalThis.gc();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const { utilization } = performance.eventLoopUtilization();
  delay.enable();
  processorUs = 0;
  return { heapBytes: heapUsed + arrayBuffers, rssBytes: rss, processorMs: (user + system) / 1000, utilization, delay: percentiles(delay, NANOSECONDS_PER_MS), work: percentiles(work, MICROSECONDS_PER_MS), complaints: complaints.slice() };
}

function percentiles(histogram, unitsPerMs) {
  const of = (percent) => histogram.percentile(percent) / unitsPerMs;
  return { p50Ms: of(50), p99Ms: of(99), p999Ms: of(99.9), maxMs: histogram.max / unitsPerMs, count: histogram.count };
}

process.on('message', (id) => process.send({ id, sample: sample() }));
// Whoever looked is gone: a server that nobody stops would go on for ever.
process.once('disconnect', () => process.exit());
// The channel must not keep a server that has been told to stop.
process.channel.unref();
delay.enable();

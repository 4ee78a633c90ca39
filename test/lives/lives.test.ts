import { describe, expect, it } from 'vitest';
import { adaptive } from './adaptive-life.js';
import { application } from './application-life.js';
import { batch, batchDecided } from './batch-life.js';
import { differences } from './compare.js';
import { boot, jobManagerCrash, jobManagerFailover } from './job-manager-lives.js';
import { readLife } from './recording.js';
import { replay, type Life } from './replay.js';
import { taskManagerLoss } from './task-manager-loss.js';

const RECORDED = ['1.9.3', '1.13.6', '1.20.5', '2.3.0'];

const LIVES: readonly Life[] = [
  ...RECORDED.map(taskManagerLoss),
  ...RECORDED.map(jobManagerCrash),
  ...RECORDED.map(boot),
  ...['1.20.5', '2.3.0'].flatMap((flink) => [jobManagerFailover(flink), adaptive(flink), batch(flink), batchDecided(flink), application(flink)]),
];

describe('a recorded life, lived again', () => {
  it.each(LIVES.map((life) => [life.name, life.flink, life] as const))('%s of %s goes through the same states at about the same time', async (name, flink, life) => {
    const recorded = readLife(`${name}-${flink}`);
    const { observed, answers } = await replay(life, recorded);
    expect(differences(recorded, observed, [...life.actions.map(({ atMs }) => atMs), ...recorded.events.map(({ atMs }) => atMs)], life.passedOver)).toEqual([]);
    for (const { event, shape } of answers) expect([event.what, shape]).toEqual([event.what, event.answer]);
  });
});

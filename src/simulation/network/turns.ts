import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { uniform } from '../random.js';
import { TURN_PERIOD_BUFFERS, TURN_SPREAD } from './constants.js';

/** Draws the turn biases of a consumer's channels again when it has worked off some buffers; a class of many channels is closer to even. */
export function drawTurns(state: SimulationState, job: JobState): void {
  const { network } = job;
  const { channels, edges } = network;
  const width = TURN_SPREAD * Math.sqrt(12);
  for (let v = 0; v < network.vertices.length; v++) {
    const net = network.vertices[v];
    const { numRecordsIn } = job.vertices[v].columns;
    for (let s = 0; s < net.running.length; s++) {
      if (numRecordsIn[s] < net.nextTurnDraw[s]) continue;
      // What came too early in one period is missing in the next: the unevenness does not add up.
      const draw = net.turnDraws[s]++;
      const sign = draw % 2 === 0 ? 1 : -1;
      let records = 0;
      for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
        const c = net.inputChannels[i];
        const weight = Math.max(1, channels.weight[c]);
        channels.turnBias[c] = 1 + (sign * (uniform(state.model.seed, draw >> 1, c) - 0.5) * width) / Math.sqrt(weight);
        records += edges[channels.edge[c]].recordsPerBuffer * weight;
      }
      net.nextTurnDraw[s] = numRecordsIn[s] + records * TURN_PERIOD_BUFFERS;
    }
  }
}

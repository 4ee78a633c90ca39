import type { HttpFault } from '../http-faults/http-fault.js';
import type { JobModel } from '../simulation/model/job-model.js';
import type { SimulationModel } from '../simulation/model/simulation-model.js';

/** A scenario file, read and checked: the simulation's input and what belongs to the process around it. All of it is frozen. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Where it was read. */
  readonly file: string;
  readonly model: SimulationModel;
  /** How long after its start it opens. */
  readonly openAtMs: number;
  readonly jarTemplates: readonly JarTemplate[];
  /** Faults of the HTTP server, from the start on. */
  readonly httpFaults: readonly HttpFault[];
}

/** A program in a jar: what a run of its entry class starts. */
export interface JarTemplate {
  readonly entryClass: string;
  readonly description: string;
  /** The arguments it reads. */
  readonly parameters: readonly ProgramParameter[];
  /** The job for these program arguments; throws an ArgumentError or a ScenarioError. */
  readonly createJob: (args: readonly string[], parallelism: number) => JobModel;
}

/** An argument of a program, such as `--rate`. */
export interface ProgramParameter {
  readonly name: string;
  readonly type: string;
  /** What holds when it is not given; null = nothing. */
  readonly default: string | null;
}

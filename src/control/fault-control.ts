import type { HttpFault, HttpFaultState } from '../http-faults/http-fault.js';
import { MAX_HTTP_FAULTS, type HttpFaults } from '../http-faults/http-faults.js';
import { buildHttpFault } from '../scenario/build-http-fault.js';
import { problemsOf } from '../scenario/issues.js';
import { plainSource } from '../scenario/plain-source.js';
import { ScenarioError, type Path, type Problem } from '../scenario/scenario-error.js';
import { httpFaultSchema, type HttpFaultInput } from '../scenario/schema/http-fault-schema.js';
import { resolveInstant } from '../scenario/units.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { ControlError } from './problem.js';

const LONGEST_REFUSAL_MS = 600_000;

/** A fault and what it has done. */
export interface FaultView {
  readonly id: string;
  readonly fault: HttpFault;
  /** Requests that its path, method and time fitted. */
  readonly matched: number;
  /** How often it struck. */
  readonly struck: number;
}

/** Faults of the HTTP server. */
export class FaultControl {
  private sequence = 0;

  constructor(
    private readonly faults: HttpFaults,
    private readonly state: SimulationState,
    private readonly refuse: (forMs: number) => Promise<void>,
  ) {}

  list(): FaultView[] {
    return this.faults.list().map(view);
  }

  get(id: string): FaultView {
    const found = this.faults.get(id);
    if (!found) throw this.unknown(id);
    return view(found);
  }

  /** Adds a fault as a scenario file writes it; gives its id. */
  add(input: HttpFaultInput): string {
    const source = plainSource(input, 'fault');
    const parsed = httpFaultSchema.safeParse(input, { reportInput: true });
    if (!parsed.success) throw new ScenarioError(problemsOf(parsed.error.issues, httpFaultSchema, source));
    if (this.faults.size >= MAX_HTTP_FAULTS) throw new ControlError(409, `there are ${MAX_HTTP_FAULTS} faults already; no more are allowed, take one away`);
    const problems: Problem[] = [];
    const report = (path: Path, message: string): void => void problems.push(source.problemAt(path, message));
    const { startMs, timeZoneOffsetMinutes } = this.state.model;
    const fault = buildHttpFault(parsed.data, this.freeId(), [], (instant) => resolveInstant(instant, startMs, timeZoneOffsetMinutes), report);
    if (fault?.untilMs != null && fault.untilMs <= this.state.nowMs - startMs) report(['until'], 'lies in the past: the fault would never strike');
    if (problems.length > 0 || !fault) throw new ScenarioError(problems);
    if (this.faults.get(fault.id)) throw new ControlError(409, `there is a fault ${fault.id} already; take it away, or give another id`);
    this.faults.add(fault);
    return fault.id;
  }

  remove(id: string): void {
    if (!this.faults.remove(id)) throw this.unknown(id);
  }

  clear(): void {
    this.faults.clear();
  }

  /** Nobody listens for a span of wall time: connections are refused. The control API on the same port is gone too. */
  async refuseConnections(forMs: number): Promise<void> {
    if (!(forMs > 0 && forMs <= LONGEST_REFUSAL_MS)) throw new ControlError(400, `found ${forMs} ms; allowed: more than 0, up to ${LONGEST_REFUSAL_MS}`);
    await this.refuse(forMs);
  }

  private freeId(): string {
    do this.sequence++;
    while (this.faults.get(`fault-${this.sequence}`));
    return `fault-${this.sequence}`;
  }

  private unknown(id: string): ControlError {
    return new ControlError(404, `there is no fault ${id}; allowed: ${this.faults.list().slice(0, 20).map(({ fault }) => fault.id).join(', ') || 'none, there is no fault'}`);
  }
}

function view({ fault, matched, struck }: HttpFaultState): FaultView {
  return { id: fault.id, fault, matched, struck };
}

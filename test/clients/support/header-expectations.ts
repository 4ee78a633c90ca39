/** Releases whose message classes are sent, and how many requests real clusters answered well in the same situations. */
const RECORDED = [
  { version: '2.3.0', atLeast: 284 },
  { version: '1.20.5', atLeast: 268 },
  { version: '1.13.6', atLeast: 235 },
  { version: '1.9.3', atLeast: 196 },
];
/** 1.11's client cannot be had from Maven as a whole. */
const OTHERS = ['2.2.1', '2.1.3', '2.0.2', '1.19.3', '1.18.1', '1.17.2', '1.16.3', '1.15.4', '1.14.6', '1.12.5', '1.10.3'].map((version) => ({ version, atLeast: 196 }));

/** The four that were recorded; every minor when CLIENT_VERSIONS is `all`. */
export const VERSIONS = process.env['CLIENT_VERSIONS'] === 'all' ? [...RECORDED, ...OTHERS] : RECORDED;

interface Refusal {
  readonly line: RegExp;
  readonly reason: string;
}

/** Requests that real clusters refuse, too, with the same status. */
const REFUSALS: readonly Refusal[] = [
  { line: /^ERROR 404 \S+\/rescales\/(config|history|overview|summary) /, reason: "the job is not the adaptive scheduler's" },
  { line: /^ERROR 500 \S+\/resource-requirements /, reason: 'the default scheduler has none, and ended jobs have no scheduler' },
  { line: /^ERROR 500 \S+\/backpressure /, reason: 'up to 1.12 the job master is asked, and an ended job has none' },
  { line: /^UNSENT RescalingStatusHeaders /, reason: 'rescaling by trigger is off since 1.9: no trigger has a status' },
  { line: /^UNSENT JobRescaleDetailsHeaders /, reason: "only the adaptive scheduler's jobs have rescales" },
];

export function isRefusedByFlink(line: string): boolean {
  return REFUSALS.some((refusal) => refusal.line.test(line));
}

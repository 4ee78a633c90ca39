import type { Verification } from './verify.js';

/** True when mock-flink answers as the cluster does. */
export function isAlike({ steps }: Verification): boolean {
  return steps.every(({ differences }) => differences.length === 0);
}

/** For people. */
export function textReport(verification: Verification): string {
  const { flinkVersion, comparedWith, isKnownVersion, job, requests, steps } = verification;
  const different = steps.filter(({ differences }) => differences.length > 0);
  const open = steps.filter(({ notCompared }) => notCompared.length > 0);
  const lines = [
    `The cluster is Flink ${flinkVersion}${isKnownVersion ? '' : ', which mock-flink does not know'}; compared with mock-flink as ${comparedWith}.`,
    `${requests} requests to ${steps.length} kinds of GET${job === null ? '; no job runs, so nothing was asked about jobs' : ` about the job ${JSON.stringify(job)}`}.`,
    '',
    ...different.flatMap(({ step, differences }) => [step, ...differences.map((difference) => `    ${difference}`)]),
    ...(different.length > 0 ? [''] : []),
    different.length === 0 ? 'Alike: status codes, content types, fields, types and metric names.' : `${different.length} of ${steps.length} differ.`,
    ...(open.length > 0 ? ['', 'Not compared:', ...open.map(({ step, notCompared }) => `    ${step}: ${notCompared.slice(0, 4).join('; ')}${notCompared.length > 4 ? `; and ${notCompared.length - 4} more` : ''}`)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** For programs. */
export function jsonReport(verification: Verification): string {
  return `${JSON.stringify({ alike: isAlike(verification), ...verification }, null, 2)}\n`;
}

import type { Notes } from './notes.js';
import type { ClusterSurvey } from './survey.js';

/** More than Flink itself hides: what may let somebody in. */
const SECRET_KEY = /password|passwd|secret|token|credential|api-?key|account\.key|access[-.]?key|service-key|private|auth-params|basic-auth|jaas|http-headers/i;
const SECRET_VALUE = /:\/\/[^/\s:@]+:[^/\s@]+@|\bBearer\s|-----BEGIN|\b(AKIA|ASIA)[A-Z0-9]{16}\b/;
const HIDDEN = '******';

/** Reporters that listen; the others would send the played numbers to where the real cluster sends its own. */
const LISTENING_REPORTER = /PrometheusReporter(Factory)?$/;
const REPORTER_KEY = /^metrics\.reporter\.([^.]+)\./;

/** A switch or a number lets nobody in (`security.delegation.tokens.enabled`). */
const PLAIN_VALUE = /^(true|false|\d+(\.\d+)?( ?[a-z]+)?)$/i;

function isSecret(key: string, value: string): boolean {
  return (SECRET_KEY.test(key) && !(/enabled|interval|timeout|delay|ratio/i.test(key) && PLAIN_VALUE.test(value))) || SECRET_VALUE.test(value);
}

/** The value, or stars in place of one that may be a secret. */
export function redact(key: string, value: string): string {
  return isSecret(key, value) ? HIDDEN : value;
}

/** The cluster's options with secrets hidden, without the reporters that send. */
export function inferOptions(survey: ClusterSurvey, notes: Notes): Record<string, string> {
  const listening = new Set<string>();
  for (const { key, value } of survey.options) {
    const name = REPORTER_KEY.exec(key)?.[1];
    if (name !== undefined && LISTENING_REPORTER.test(value)) listening.add(name);
  }
  const options: Record<string, string> = {};
  const dropped = new Set<string>();
  let hidden = 0;
  for (const { key, value } of [...survey.options].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const reporter = REPORTER_KEY.exec(key)?.[1];
    if (reporter !== undefined && !listening.has(reporter)) {
      dropped.add(reporter);
      continue;
    }
    if (key === 'metrics.reporters') {
      const kept = value.split(/\s*,\s*/).filter((name) => listening.has(name));
      if (kept.length > 0) options[key] = kept.join(',');
      continue;
    }
    options[key] = redact(key, value);
    if (options[key] === HIDDEN) hidden++;
  }
  const about = ['Measured: what /jobmanager/config says.'];
  if (hidden > 0) about.push(`${hidden === 1 ? 'One value' : `${hidden} values`} that may be secret: hidden.`);
  if (dropped.size > 0) about.push(`Left out: the reporter${dropped.size > 1 ? 's' : ''} ${[...dropped].join(', ')}, which would send the played numbers to where the real cluster reports.`);
  notes.add(['options'], about.join(' '));
  return options;
}

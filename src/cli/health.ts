import { request as requestPlain, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';
import { CliError } from './cli-error.js';
import { resolveServeOptions, type FlagValues } from './option-sources.js';
import type { ServeOptions } from './serve-options.js';

export interface HealthFlags {
  readonly host?: string;
  readonly port?: string;
  readonly controlPort?: string;
  readonly configFile?: string;
  readonly timeout: number;
}

/** Where everybody is listened to, this is where to ask. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
/** A server that asks for a certificate, which a health check has none of, is there. */
const ASKS_FOR_CERTIFICATE = /alert[ _](certificate[ _]required|handshake[ _]failure|bad[ _]certificate)/i;
/** Of a server that speaks TLS to one that does not, and the other way round. */
const OTHER_LANGUAGE = new Set(['ECONNRESET', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'HPE_INVALID_CONSTANT', 'UND_ERR_SOCKET']);

/** The address of a server with these options: of the control API where there is one, as that is up while the job manager is down on purpose. */
function addressOf({ host, port, control, controlPort, basicAuth }: ServeOptions): RequestOptions {
  const own = control === 'on' && controlPort !== null;
  const asked = own ? controlPort : port;
  if (asked === 0) throw new CliError(`a server on a free port cannot be found; give ${own ? '--control-port' : '--port'}`);
  return { host: LOOPBACK[host] ?? host, port: asked, path: control === 'on' ? '/_mock/health' : '/config', ...(basicAuth === null ? {} : { auth: basicAuth }) };
}

function ask(options: RequestOptions, tls: boolean, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // Only who answers is asked, on this machine as a rule: whose certificate it is does not matter.
    const asking = tls ? requestTls({ ...options, rejectUnauthorized: false }) : requestPlain(options);
    asking.setTimeout(timeoutMs, () => asking.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    asking.once('response', (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    asking.once('error', reject);
    asking.end();
  });
}

/** Ends quietly when a server with these options (flags, variables, config file, as for `serve`) answers well; else throws, with exit code 1. */
export async function health({ timeout, configFile, ...flags }: HealthFlags): Promise<void> {
  const options = resolveServeOptions(flags as FlagValues, process.env, configFile);
  const address = addressOf(options);
  const place = `${address.host}:${address.port}${address.path}`;
  const expectsTls = options.tlsCert !== null || [options.config['security.ssl.rest.enabled'], options.config['security.ssl.enabled']].includes('true');
  // A scenario may have switched TLS on.
  for (const tls of expectsTls ? [true] : [false, true]) {
    try {
      const status = await ask(address, tls, timeout);
      if (status === 200) return;
      throw new CliError(`${place} answered ${status}`, 1);
    } catch (error) {
      if (error instanceof CliError) throw error;
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (tls && ASKS_FOR_CERTIFICATE.test(`${code} ${message}`)) return;
      if (!tls && OTHER_LANGUAGE.has(code)) continue;
      throw new CliError(`${place} does not answer (${message})`, 1);
    }
  }
}

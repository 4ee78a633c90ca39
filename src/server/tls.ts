import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureVersion, type TlsOptions } from 'node:tls';
import { setOption, type FlinkOptions } from '../versions/flink-options.js';

/** A keystore, certificate or option that TLS cannot work with; the message says what to do. */
export class TlsConfigError extends Error {
  override readonly name = 'TlsConfigError';
}

/** PEM files of our own, beside Flink's keystores. */
export interface PemFiles {
  readonly certificate: string;
  readonly key: string;
  /** Certificates of those who sign clients' certificates; given, clients need one. */
  readonly clientCertificates?: string;
}

const REST = 'security.ssl.rest.';
const JKS_MAGIC = 0xfeedfeed;

/** What TLS is spoken with: PEM files where given, else Flink's options `security.ssl.rest.*`; null where TLS is off. */
export function tlsOptionsOf(options: FlinkOptions, pem: PemFiles | null = null): TlsOptions | null {
  const mutual = setOption(options, `${REST}authentication-enabled`) === 'true';
  if (pem === null && (setOption(options, `${REST}enabled`) ?? setOption(options, 'security.ssl.enabled')) !== 'true') return null;
  const common = { ...protocolOf(options), ...ciphersOf(options) };
  const tls: TlsOptions = pem === null ? { ...common, ...keystoreOf(options), ...(mutual ? { ...truststoreOf(options), requestCert: true, rejectUnauthorized: true } : {}) } : { ...common, ...pemOf(pem) };
  try {
    createSecureContext(tls);
  } catch (error) {
    const given = pem === null ? `${REST}keystore` : [pem.certificate, pem.key, pem.clientCertificates].filter((file) => file !== undefined).join(', ');
    throw new TlsConfigError(`TLS cannot start with ${given}: ${reasonOf(error)}`);
  }
  return tls;
}

const PROTOCOLS: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** `security.ssl.protocol`: the one that is spoken, or several; TLSv1.2 unless said. */
function protocolOf(options: FlinkOptions): { minVersion: SecureVersion; maxVersion: SecureVersion } {
  const given = (setOption(options, 'security.ssl.protocol') ?? 'TLSv1.2').split(',').map((name) => name.trim());
  const places = given.map((name) => PROTOCOLS.indexOf(name as SecureVersion));
  if (places.includes(-1)) throw new TlsConfigError(`security.ssl.protocol: found ${JSON.stringify(given.join(','))}; allowed: ${PROTOCOLS.join(', ')}`);
  return { minVersion: PROTOCOLS[Math.min(...places)]!, maxVersion: PROTOCOLS[Math.max(...places)]! };
}

/** `security.ssl.algorithms` in Java's names, in OpenSSL's: TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 is ECDHE-RSA-AES128-GCM-SHA256. Left out: Node's own. */
function ciphersOf(options: FlinkOptions): { ciphers?: string } {
  const given = setOption(options, 'security.ssl.algorithms');
  if (given === null) return {};
  const names = given.split(',').map((name) => name.trim()).filter((name) => name !== '');
  // RSA key exchange is not in OpenSSL's name of a suite; TLS 1.3's suites have the same name in both.
  const converted = names.map((name) => (name.includes('_WITH_') ? name.replace(/^TLS_(RSA_WITH_)?/, '').replace('_WITH_', '_').replace(/AES_(\d+)_/, 'AES$1_').replace(/_CBC_/, '_').replaceAll('_', '-') : name));
  return { ciphers: converted.join(':') };
}

function keystoreOf(options: FlinkOptions): TlsOptions {
  const store = storeOf(options, 'keystore');
  // A PKCS12 file has one password for both.
  const keyPassword = setOption(options, `${REST}key-password`);
  if (keyPassword !== null && keyPassword !== store.password) throw new TlsConfigError(`${REST}key-password differs from ${REST}keystore-password; a PKCS12 keystore has one password for store and key`);
  return { pfx: store.bytes, passphrase: store.password };
}

/** Certificates that clients' certificates are checked against, for mutual authentication. */
function truststoreOf(options: FlinkOptions): TlsOptions {
  const fingerprint = setOption(options, `${REST}cert.fingerprint`);
  const store = storeOf(options, 'truststore');
  const ca = certificatesIn(store);
  if (fingerprint === null) return { ca };
  const pinned = ca.filter((pem) => plain(new X509Certificate(pem).fingerprint) === plain(fingerprint));
  if (pinned.length === 0) throw new TlsConfigError(`${REST}cert.fingerprint: no certificate of ${store.file} has it`);
  return { ca: pinned };
}

function plain(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase();
}

/** Node reads a PKCS12 file only for its key, so what is trusted has to be there as PEM. */
function certificatesIn({ file, bytes }: Store): string[] {
  const pem = bytes.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (pem) return pem;
  throw new TlsConfigError(`${REST}truststore: ${file} holds no certificate in PEM form; export them: keytool -exportcert -rfc -keystore ${file} -alias ALIAS > trusted.pem, and give that file`);
}

interface Store {
  readonly file: string;
  readonly bytes: Buffer;
  readonly password: string;
}

function storeOf(options: FlinkOptions, kind: 'keystore' | 'truststore'): Store {
  const name = `${REST}${kind}`;
  const file = setOption(options, name) ?? setOption(options, `security.ssl.${kind}`);
  if (file === null) throw new TlsConfigError(`${name} is not set; it names the ${kind} of the REST endpoint`);
  const password = setOption(options, `${name}-password`) ?? setOption(options, `security.ssl.${kind}-password`) ?? '';
  const bytes = fileOf(file, name);
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === JKS_MAGIC) {
    throw new TlsConfigError(`${name}: ${file} is of type JKS, which Node does not read; convert it: keytool -importkeystore -srckeystore ${file} -destkeystore ${file.replace(/\.jks$/, '')}.p12 -deststoretype PKCS12`);
  }
  return { file, bytes, password };
}

function pemOf({ certificate, key, clientCertificates }: PemFiles): TlsOptions {
  const client = clientCertificates === undefined ? {} : { ca: fileOf(clientCertificates, 'client certificates'), requestCert: true, rejectUnauthorized: true };
  return { cert: fileOf(certificate, 'certificate'), key: fileOf(key, 'key'), ...client };
}

function fileOf(file: string, what: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new TlsConfigError(`${what}: ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? message})`}`);
  }
}

/** OpenSSL's words, with what they mean where they do not tell. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  if (/mac verify failure/i.test(message)) return 'the password of the keystore is wrong';
  if (/unsupported/i.test(message)) return `${message}; a PKCS12 file with old ciphers has to be made anew (keytool of Java 12 or later, or openssl pkcs12 -export)`;
  return message;
}

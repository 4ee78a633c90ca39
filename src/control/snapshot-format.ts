import { createHash } from 'node:crypto';
import type { HttpFaultState } from '../http-faults/http-fault.js';
import type { ReportingState } from '../reporters/reporting-state.js';
import type { RestState } from '../rest/rest-state.js';
import { readPlainData, writePlainData } from '../serialization/plain-data.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';

/** Increases when what was written before can no longer be read; 2: the checksum is of the header, too; 3: events to come lie apart in the queue. */
const FORMAT = 3;
const MAGIC = Buffer.from('mock-flink snapshot\n');
const MAX_HEADER_BYTES = 64 * 1024;
const CHECKSUM_BYTES = 32;

/** What a snapshot holds: the simulated cluster, what Flink's REST layer keeps, the HTTP faults, and how far the metric reporters are. */
export interface SnapshotContent {
  readonly state: SimulationState;
  readonly rest: RestState;
  readonly httpFaults: readonly HttpFaultState[];
  /** What reporters have told so far; null (or absent, in older files): they begin anew. */
  readonly reporting?: ReportingState | null;
}

export interface SnapshotHeader {
  readonly format: number;
  readonly scenario: string;
  readonly flinkVersion: string;
  readonly nowMs: number;
  readonly bytes: number;
  /** Of the Node that wrote it: an older one may not be able to read it. */
  readonly node: string;
}

/** A snapshot that cannot be used; the message says why and what to do. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

/** Everything there is, as bytes: magic, length of the header, header (JSON), SHA-256 of header and content, content (V8's structured clone). */
export function encodeSnapshot(content: SnapshotContent): Buffer {
  const payload = writePlainData(content);
  const { model, nowMs } = content.state;
  const header: SnapshotHeader = { format: FORMAT, scenario: model.name, flinkVersion: model.flinkVersion, nowMs, bytes: payload.length, node: process.version };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([MAGIC, length, json, checksum(json, payload), payload]);
}

/** Reads a snapshot; throws a SnapshotError for anything but a whole one of this format. */
export function decodeSnapshot(bytes: Buffer): { readonly header: SnapshotHeader; readonly content: SnapshotContent } {
  const { header, json, from } = readHeader(bytes);
  const payload = bytes.subarray(from + CHECKSUM_BYTES);
  if (payload.length !== header.bytes) throw new SnapshotError(`the snapshot is not whole: it holds ${payload.length} bytes of ${header.bytes}; take it again, or use an older one`);
  if (!checksum(json, payload).equals(bytes.subarray(from, from + CHECKSUM_BYTES))) throw new SnapshotError('the snapshot is damaged (its checksum differs); take it again, or use an older one');
  let content: SnapshotContent;
  try {
    content = readPlainData(payload) as SnapshotContent;
  } catch (error) {
    throw new SnapshotError(`the snapshot cannot be read by Node ${process.version} (it was written by ${header.node}): ${(error as Error).message}; use that version or a later one`);
  }
  if (!(content?.state?.jobs instanceof Map) || !Array.isArray(content.httpFaults)) throw new SnapshotError('the snapshot does not hold a cluster; take it again');
  return { header, content };
}

/** The header, of which nothing is sure but its format, and where it ends. */
function readHeader(bytes: Buffer): { readonly header: SnapshotHeader; readonly json: Buffer; readonly from: number } {
  if (bytes.length < MAGIC.length + 4 || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new SnapshotError('this is no snapshot of mock-flink; allowed: what GET /_mock/snapshot or a saved snapshot gave');
  const length = bytes.readUInt32BE(MAGIC.length);
  const from = MAGIC.length + 4 + length;
  if (length > MAX_HEADER_BYTES || from + CHECKSUM_BYTES > bytes.length) throw new SnapshotError('the snapshot is not whole: its header is cut off; take it again, or use an older one');
  const json = bytes.subarray(MAGIC.length + 4, from);
  let header: SnapshotHeader | null;
  try {
    header = JSON.parse(json.toString('utf8')) as SnapshotHeader | null;
  } catch {
    throw new SnapshotError('the snapshot is damaged: its header is no JSON; take it again, or use an older one');
  }
  if (header?.format !== FORMAT) throw new SnapshotError(`the snapshot has format ${header?.format}; this version of mock-flink reads format ${FORMAT}; restore it with the version that took it`);
  return { header, json, from };
}

function checksum(header: Buffer, payload: Buffer): Buffer {
  return createHash('sha256').update(header).update(payload).digest();
}

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** What `flink run -d -c Bp bp.jar --name "Graph sample" --p 2 --iv 4000` of a real client posted to /v1/jobs. */
export interface SubmissionSample {
  readonly body: Buffer;
  readonly contentType: string;
  readonly request: Record<string, unknown>;
  readonly graph: Buffer;
}

export function loadSubmission(version: string): SubmissionSample {
  const body = gunzipSync(readFileSync(new URL(`../../golden/cluster-submission-${version}.bin.gz`, import.meta.url)));
  const boundary = body.subarray(2, body.indexOf('\r\n')).toString('latin1');
  const part = (marker: string): Buffer => {
    const start = body.indexOf('\r\n\r\n', body.indexOf(marker)) + 4;
    return body.subarray(start, body.indexOf(`\r\n--${boundary}`, start));
  };
  return {
    body,
    contentType: `multipart/form-data; boundary=${boundary}`,
    request: JSON.parse(part('name="request"').toString('utf8')) as Record<string, unknown>,
    graph: part('name="file_0"'),
  };
}

/**
 * An expected failure: `{"errors":[…]}` with one text. Up to 1.9 that is the bare message, later `class: message` and a stack trace
 * (FLINK-12781).
 */
export class RestHandlerException extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Full Java class name. */
    readonly javaClass = 'org.apache.flink.runtime.rest.handler.RestHandlerException',
    /** What lies below, `class: message` each, outermost first. */
    readonly causes: readonly string[] = [],
  ) {
    super(message);
  }
}

/** 404 with NotFoundException. */
export class NotFoundException extends RestHandlerException {
  constructor(message: string, causes: readonly string[] = []) {
    super(404, message, 'org.apache.flink.runtime.rest.NotFoundException', causes);
  }
}

/** Head of the exception that lies below the answers about a job that is not there. */
export function jobNotFoundHead(jobId: string): string {
  return `org.apache.flink.runtime.messages.FlinkJobNotFoundException: Could not find Flink job (${jobId})`;
}

/** An exception that Flink's handler did not expect: 500 with `Internal server error.` and `<Exception on server side:\n…`. */
export class InternalServerException extends Error {
  constructor(
    readonly javaClass: string,
    message: string,
    /** Java stack frames without `\tat `; may be empty. */
    readonly frames: readonly string[] = [],
    /** What lies below, `class: message` each, outermost first. */
    readonly causes: readonly string[] = [],
  ) {
    super(message);
  }
}

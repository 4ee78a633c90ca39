import type { RestFeatures } from '../versions/rest-features.js';
import { InternalServerException, RestHandlerException } from './errors.js';

export interface ErrorAnswer {
  readonly status: number;
  readonly errors: readonly string[];
}

/** The frames below every handler: from where a request comes in to the event loop. */
const COMMON_FRAMES = [
  'org.apache.flink.runtime.rest.handler.AbstractRestHandler.respondToRequest(AbstractRestHandler.java:83)',
  'org.apache.flink.runtime.rest.handler.AbstractHandler.respondAsLeader(AbstractHandler.java:196)',
  'org.apache.flink.runtime.rest.handler.LeaderRetrievalHandler.lambda$channelRead0$0(LeaderRetrievalHandler.java:88)',
  'java.base/java.util.Optional.ifPresent(Optional.java:178)',
  'org.apache.flink.util.OptionalConsumer.ifPresent(OptionalConsumer.java:45)',
  'org.apache.flink.runtime.rest.handler.LeaderRetrievalHandler.channelRead0(LeaderRetrievalHandler.java:85)',
  'org.apache.flink.runtime.rest.handler.router.RouterHandler.routed(RouterHandler.java:115)',
  'org.apache.flink.runtime.rest.FileUploadHandler.channelRead0(FileUploadHandler.java:238)',
  'org.apache.flink.shaded.netty4.io.netty.util.concurrent.SingleThreadEventExecutor$4.run(SingleThreadEventExecutor.java:997)',
  'java.base/java.lang.Thread.run(Thread.java:840)',
];

/** A stack trace as Java prints it; `causes` are the heads of what lies below. */
export function stackTrace(javaClass: string, message: string, frames: readonly string[], causes: readonly string[] = []): string {
  const head = message === '' ? javaClass : `${javaClass}: ${message}`;
  return [head, ...frames.map((frame) => `\tat ${frame}`), ...causes.map((cause) => `Caused by: ${cause}\n\t... ${frames.length} more`)].join('\n') + '\n';
}

/** What Flink answers when a handler throws; null for an error that is none of Flink's, but a mistake of ours. */
export function expectedErrorAnswer(error: unknown, features: RestFeatures): ErrorAnswer | null {
  if (error instanceof RestHandlerException) {
    return { status: error.status, errors: [features.errorsHaveStackTrace ? stackTrace(error.javaClass, error.message, COMMON_FRAMES, error.causes) : error.message] };
  }
  return error instanceof InternalServerException ? internalServerError(error.javaClass, error.message, error.frames, error.causes) : null;
}

export function internalServerError(javaClass: string, message: string, frames: readonly string[] = [], causes: readonly string[] = []): ErrorAnswer {
  const trace = stackTrace(javaClass, message, frames.length > 0 ? frames : COMMON_FRAMES, causes);
  return { status: 500, errors: ['Internal server error.', `<Exception on server side:\n${trace}\nEnd of exception on server side>`] };
}

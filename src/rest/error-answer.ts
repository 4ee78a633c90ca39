import type { RestFeatures } from '../versions/rest-features.js';
import { InternalServerException, RestHandlerException } from './errors.js';

export interface ErrorAnswer {
  readonly status: number;
  readonly errors: readonly string[];
}

/** Frames under every handler's own: what AbstractHandler and the event loop look like from below. */
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
  'java.base/java.lang.Thread.run(Thread.java:829)',
];

/** A stack trace as Java prints it. */
export function stackTrace(javaClass: string, message: string, frames: readonly string[]): string {
  const head = message === '' ? javaClass : `${javaClass}: ${message}`;
  return [head, ...frames.map((frame) => `\tat ${frame}`)].join('\n') + '\n';
}

/** What Flink answers when a handler throws. */
export function errorAnswer(error: unknown, features: RestFeatures): ErrorAnswer {
  if (error instanceof RestHandlerException) {
    return { status: error.status, errors: [features.errorsHaveStackTrace ? stackTrace(error.javaClass, error.message, COMMON_FRAMES) : error.message] };
  }
  const [javaClass, message, frames] =
    error instanceof InternalServerException ? [error.javaClass, error.message, error.frames] : ['java.lang.RuntimeException', error instanceof Error ? error.message : String(error), []];
  const trace = stackTrace(javaClass, message, frames.length > 0 ? frames : COMMON_FRAMES);
  return { status: 500, errors: ['Internal server error.', `<Exception on server side:\n${trace}\nEnd of exception on server side>`] };
}

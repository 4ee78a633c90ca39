import { NotFoundException, RestHandlerException } from '../errors.js';
import { abstractIdHash, objectsHash } from '../java/hash-order.js';

/** OperationKey.hashCode in hex, as Object.toString shows it. */
function keyHash(...hashes: number[]): string {
  return (objectsHash(...hashes) >>> 0).toString(16);
}

/** The cache of a handler does not know the trigger. */
export function unknownOperation(triggerId: string): NotFoundException {
  return new NotFoundException(`Operation not found under key: org.apache.flink.runtime.rest.handler.async.OperationKey@${keyHash(abstractIdHash(triggerId))}`);
}

/** The cache of a handler does not know the trigger for that job. */
export function unknownJobOperation(triggerId: string, jobId: string): NotFoundException {
  const hash = keyHash(objectsHash(abstractIdHash(triggerId)), abstractIdHash(jobId));
  return new NotFoundException(`Operation not found under key: org.apache.flink.runtime.rest.handler.job.AsynchronousJobOperationKey@${hash}`);
}

/** The dispatcher does not know the trigger for that job. */
export function unknownDispatcherOperation(what: 'savepoint' | 'checkpoint', triggerId: string, jobId: string): RestHandlerException {
  return new RestHandlerException(404, `There is no ${what} operation with triggerId=${triggerId} for job ${jobId}.`);
}

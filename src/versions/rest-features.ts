import { since, valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** What REST answers differ in beyond their shape (which is in rest-spec). Each line says why. */
const TABLE = {
  /** errors[0] carries the exception's class and stack trace (FLINK-12781). */
  errorsHaveStackTrace: since('1.10'),
};

export type RestFeatures = { readonly [K in keyof typeof TABLE]: (typeof TABLE)[K] extends ByVersion<infer T> ? T : never };

/** What holds in a version. */
export function restFeatures(version: FlinkVersion): RestFeatures {
  return Object.freeze(Object.fromEntries(Object.entries(TABLE).map(([name, table]) => [name, valueIn(table as ByVersion<unknown>, version)]))) as RestFeatures;
}

// eslint-disable-next-line no-control-regex
const SPECIAL = /[\u0000-\u001f"\\\ud800-\udfff]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text as Jackson writes it: as JSON.stringify, but with upper-case digits in \u00XX and `?` for half a surrogate pair. */
export function jsonString(text: string): string {
  if (!SPECIAL.test(text)) return '"' + text + '"';
  return JSON.stringify(text.replace(LONE_SURROGATE, '?')).replace(/\\+u00[0-9a-f]{2}/g, upperCaseDigits);
}

function upperCaseDigits(run: string): string {
  // An even number of backslashes is no escape of what follows.
  const backslashes = run.lastIndexOf('\\') + 1;
  return backslashes % 2 === 0 ? run : run.slice(0, -2) + run.slice(-2).toUpperCase();
}

/** The body of an error. */
export function errorsJson(errors: readonly string[]): string {
  return `{"errors":[${errors.map(jsonString).join(',')}]}`;
}

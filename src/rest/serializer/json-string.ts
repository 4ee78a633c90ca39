// eslint-disable-next-line no-control-regex
const SPECIAL = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** A text as Jackson writes it: as JSON.stringify, but with upper-case digits in \u00XX and `?` for half a surrogate pair. */
export function jsonString(text: string): string {
  if (!SPECIAL.test(text)) return '"' + text + '"';
  return JSON.stringify(text.isWellFormed() ? text : text.toWellFormed().replaceAll('\ufffd', '?')).replace(/\\u00[0-9a-f]{2}/g, (escape) => '\\u' + escape.slice(2).toUpperCase());
}

/** Flink's own list. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  txt: 'text/plain',
  log: 'text/plain',
  out: 'text/plain',
  err: 'text/plain',
  xml: 'text/xml',
  csv: 'text/csv',
  js: 'application/javascript',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  tiff: 'image/tiff',
  tff: 'image/tiff',
  bmp: 'image/bmp',
  woff: 'application/font-woff',
  woff2: 'application/font-woff2',
  ttf: 'font/ttf',
  otf: 'font/opentype',
  eot: 'font/application/vnd.ms-fontobject',
};

/** The content type that Flink gives a file by its name. */
export function mimeType(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return (dot >= 1 ? TYPES[fileName.slice(dot + 1).toLowerCase()] : undefined) ?? 'application/octet-stream';
}

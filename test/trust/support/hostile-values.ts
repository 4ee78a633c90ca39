import fc from 'fast-check';

const BYTES = 256;

/** Any bytes, escaped; some escapes broken. */
const escapes = fc.array(fc.oneof(fc.nat(BYTES - 1).map((byte) => `%${byte.toString(16).padStart(2, '0')}`), fc.constantFrom('%', '%z', '%2', '%%', '+', '%25')), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

const CURIOUS = [
  '..', '.', '%2e%2e', '%2e', '..%2f..%2f..%2fetc%2fpasswd', '..%5c..%5cboot.ini', '%252e%252e%252f', '..%00', 'a%00b', '%00', '%0d%0aSet-Cookie:%20a=b', '%c0%ae%c0%ae%c0%af',
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '%5f%5fproto%5f%5f', 'null', 'undefined', 'NaN', '-1', '0', '-0', '+1', '1e9', '0x10', '2147483647', '2147483648', '9223372036854775807',
  '9223372036854775808', '99999999999999999999999999', '%d9%a1', '%e2%82%ac', '%f0%9f%90%bf', '%ff%fe', '%ed%a0%80', '*', '$', '${7*7}', '%24%7bjndi:ldap://x%7d', "'%20or%201=1", '%3cscript%3e', ',', ',,,', ';', ':', '@',
  'jobmanager.log', 'flink.log', '(jobmanager)', 'a'.repeat(3000),
];

/** Something for a part of a path or a value of a query. */
export const hostilePart: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...CURIOUS) },
  { weight: 2, arbitrary: escapes },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map((text) => encodeURIComponent(text)) },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9a-f]{32}$/) },
);

const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

const CURIOUS_BODIES = [
  '', ' ', 'null', 'true', '0', '-1', '""', '[]', '{}', '{', '}', '[', '{"', '{"a', '{"a":', '{"a":1', '{"a":1,}', "{'a':1}", '{"a":NaN}', '{"a":Infinity}', '{"a":1e999999}', `{"a":${'9'.repeat(5_000)}}`, '\0', '\xff\xfe', '\xef\xbb\xbf{}',
  '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"a":{"__proto__":{"polluted":true}}}', '{"a":"\\ud800"}', '{"a":"\\u0000"}', '{"a":1}{"a":2}', '{"a":1,"a":2}',
  nested(100_000, '[', ']'), `{"a":${nested(100_000, '[', ']')}}`, '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000), '['.repeat(100_000), `{"flinkConfiguration":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, `"${'\\u0041'.repeat(50_000)}"`, `[${'1,'.repeat(50_000)}1]`, `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
];

const curiousValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, -2147483649, 2147483648, 9007199254740993, '', ' ', 'x', '../../../../etc/passwd', 'file:///etc/passwd', '\0', 'a'.repeat(10_000), [], {}, [null], [[]], { a: {} }, ['x', 1, null]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A body of JSON, or of nearly that; `fields` are names that the endpoint knows. */
export function hostileBody(fields: readonly string[]): fc.Arbitrary<string> {
  const names = fc.oneof(fc.constantFrom(...fields, '__proto__', 'constructor', 'x'), fc.string({ maxLength: 10 }));
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...CURIOUS_BODIES) },
    { weight: 2, arbitrary: fc.array(fc.tuple(names, curiousValue), { maxLength: 6 }).map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  );
}

/** Bytes that look like a request, more or less. */
export const hostileBytes: fc.Arbitrary<Buffer> = (() => {
  const token = fc.oneof(
    fc.constantFrom('GET', 'POST', 'get', 'FOO', 'CONNECT', 'TRACE', 'PRI', ' ', '\t', '\r\n', '\n', '\r', '\0', ':', '/', '*', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', '/overview', '/jobs', '/jars/upload', 'Host: x', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 5, 6', 'Transfer-Encoding: chunked', 'Transfer-Encoding: xchunked', 'Connection: close', 'Connection: upgrade', 'Upgrade: h2c', 'Expect: 100-continue', 'Content-Type: multipart/form-data; boundary=X', '5\r\nhello\r\n0\r\n\r\n', '--X\r\n', '\x16\x03\x01', '\xff\xfe', 'a'.repeat(5_000), 'X: ' + 'b'.repeat(70_000)),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const request = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'FOO', ''),
      fc.oneof(fc.constantFrom('/overview', '/jobs', '*', '', '//', 'http://x/overview', '/%', '/jobs/%zz'), hostilePart.map((part) => `/${part}`)),
      fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 ', '', 'http/1.1'),
      fc.array(token, { maxLength: 6 }),
      fc.oneof(fc.constant(''), token),
    )
    .map(([method, target, version, headers, body]) => `${method} ${target} ${version}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  return fc.oneof(request, fc.array(token, { maxLength: 15 }).map((tokens) => tokens.join(''))).map((text) => Buffer.from(text, 'latin1'));
})();

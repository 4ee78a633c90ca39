import type { FastifyInstance, FastifyReply } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import { ControlError } from '../problem.js';

/** The page's files: beside the compiled server, and where the server runs from its sources, where it was compiled last. */
const PLACES = ['../../console/', '../../../dist/console/'].map((place) => new URL(place, import.meta.url));

const FILES = { 'index.html': 'text/html; charset=utf-8', 'console.js': 'text/javascript; charset=utf-8', 'console.css': 'text/css; charset=utf-8' } as const;
type ConsoleFile = keyof typeof FILES;

/** The page loads nothing from elsewhere, runs nothing that is written into it, and is in nobody's frame. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Paths that are open to who has no token yet: the page asks for it. */
export const CONSOLE_PATHS = ['', '/', '/console.js', '/console.css'];

/** The console itself, at `/_mock/`; where a token is needed, the page is told to ask for it. */
export function consolePage(scope: FastifyInstance, needsToken: boolean): void {
  const contents = new Map<ConsoleFile, string>();
  const send = (reply: FastifyReply, file: ConsoleFile): FastifyReply => {
    const content = contents.get(file) ?? (needsToken ? read(file).replace('<html ', '<html data-token ') : read(file));
    contents.set(file, content);
    return reply.type(FILES[file]).header('content-security-policy', POLICY).header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer').header('cache-control', 'no-cache').serializer(String).send(content);
  };
  scope.route({
    method: 'GET',
    url: '/',
    schema: { hide: true },
    handler: (request, reply) => (request.url.split('?')[0]!.endsWith('/') ? send(reply, 'index.html') : reply.redirect(`${request.originalUrl.split('?')[0]!.split('/').at(-1)!}/`)),
  });
  for (const file of ['console.js', 'console.css'] as const) scope.get(`/${file}`, { schema: { hide: true } }, (_request, reply) => send(reply, file));
}

function read(file: ConsoleFile): string {
  const place = PLACES.find((each) => existsSync(new URL('console.js', each)));
  if (!place) throw new ControlError(404, 'the console was not built: run `npm run build`');
  return readFileSync(new URL(file, place), 'utf8');
}

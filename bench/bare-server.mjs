// What mock-flink is compared to: fastify with nothing but routes that send bytes known beforehand.
import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';

const [port, answersFile] = process.argv.slice(2);
const app = fastify();
app.get('/ready', (_request, reply) => reply.send('ready'));
if (answersFile !== undefined) {
  for (const [path, { contentType, file }] of Object.entries(JSON.parse(readFileSync(answersFile, 'utf8')))) {
    const body = readFileSync(file, 'utf8');
    app.get(path, (_request, reply) => reply.header('content-type', contentType).send(body));
  }
}
await app.listen({ port: Number(port), host: '127.0.0.1' });

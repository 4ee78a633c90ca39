import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { openApiDocument, type OpenApiDocument } from '../../rest/openapi.js';
import type { Simulation } from '../../simulation/simulation.js';
import type { FlinkVersion } from '../../versions/flink-versions.js';
import type { VirtualClock } from '../clock.js';
import type { ClockDriver } from '../clock-driver.js';
import { ControlError, useProblems } from './problem.js';

export const CONTROL_PREFIX = '/_mock';

export interface ControlOptions {
  readonly simulation: Simulation;
  readonly clock: VirtualClock;
  readonly driver: ClockDriver;
  readonly version: FlinkVersion;
}

/** A year: a typing error in `to` must not simulate for days. */
const FARTHEST_MS = 366 * 86_400_000;
/** Greatest instant that a Date can hold. */
const LAST_INSTANT_MS = 8.64e15;

const INSTANT = z.union([z.int().min(0).max(LAST_INSTANT_MS), z.iso.datetime({ offset: true })]).meta({ description: 'Epoch milliseconds, or ISO 8601 with an offset.' });

const CLOCK_CHANGE = z.union([
  z.strictObject({ advanceMs: z.int().min(0).max(FARTHEST_MS) }),
  z.strictObject({ to: INSTANT }),
  z.strictObject({ speed: z.number().positive().max(1_000_000) }),
  z.strictObject({ paused: z.boolean() }),
]);

const CLOCK = z.object({
  mode: z.enum(['real', 'manual']),
  nowMs: z.int().meta({ description: 'Virtual now, epoch milliseconds.' }),
  now: z.string().meta({ description: 'The same, ISO 8601.' }),
  startMs: z.int().meta({ description: 'When the simulation began.' }),
  speed: z.number().meta({ description: 'Virtual milliseconds in one of the wall.' }),
  paused: z.boolean(),
});

const HEALTH = z.object({ status: z.literal('ok'), scenario: z.string(), flinkVersion: z.string(), uptimeMs: z.int().meta({ description: 'Virtual time since the simulation began.' }) });

/** Our own API beside Flink's: the clock, health, documents. */
export async function controlApi(scope: FastifyInstance, { simulation, clock, driver, version }: ControlOptions): Promise<void> {
  useProblems(scope);
  scope.setValidatorCompiler(validatorCompiler);
  scope.setSerializerCompiler(serializerCompiler);
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: 1024 * 1024 }, scope.getDefaultJsonParser('error', 'error'));
  await scope.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'mock-flink control API', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } }, servers: [{ url: '/' }] },
    transform: jsonSchemaTransform,
  });
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const clockNow = (): z.infer<typeof CLOCK> => ({
    mode: clock.mode,
    nowMs: clock.now(),
    now: new Date(clock.now()).toISOString(),
    startMs: simulation.state.model.startMs,
    speed: clock.speed,
    paused: clock.paused,
  });

  routes.get('/health', { schema: { operationId: 'getHealth', tags: ['server'], response: { 200: HEALTH } } }, () => ({
    status: 'ok' as const,
    scenario: simulation.state.model.name,
    flinkVersion: version.full,
    uptimeMs: clock.now() - simulation.state.model.startMs,
  }));
  routes.get('/clock', { schema: { operationId: 'getClock', tags: ['clock'], response: { 200: CLOCK } } }, clockNow);
  // One after the other: two advances at once add up.
  let turn: Promise<void> = Promise.resolve();
  routes.post('/clock', { schema: { operationId: 'changeClock', tags: ['clock'], body: CLOCK_CHANGE, response: { 200: CLOCK } } }, async ({ body }) => {
    const change = turn.then(() => changeClock(body));
    turn = change.catch(() => undefined);
    await change;
    return clockNow();
  });

  async function changeClock(change: z.infer<typeof CLOCK_CHANGE>): Promise<void> {
    if ('speed' in change) clock.setSpeed(change.speed);
    else if ('paused' in change) {
      if (clock.mode === 'manual' && !change.paused) throw new ControlError(409, 'a manual clock stands by itself; advance it with advanceMs or to');
      if (change.paused) clock.pause();
      else clock.resume();
    } else {
      const target = 'advanceMs' in change ? clock.now() + change.advanceMs : typeof change.to === 'number' ? change.to : Date.parse(change.to);
      if (target < clock.now()) throw new ControlError(409, `time does not go back: it is ${new Date(clock.now()).toISOString()} already`);
      if (target - clock.now() > FARTHEST_MS) throw new ControlError(400, 'no more than a year at once');
      await driver.moveTo(target);
    }
  }

  let flinkDocument: Promise<OpenApiDocument> | undefined;
  const page = readFileSync(new URL('./docs-page.html', import.meta.url), 'utf8');
  scope.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.type('text/html; charset=utf-8').serializer(String).send(page));
  scope.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.serializer(JSON.stringify).send(await (flinkDocument ??= openApiDocument(version))));
  scope.get('/control-openapi.json', { schema: { hide: true } }, (_request, reply) => reply.serializer(JSON.stringify).send(scope.swagger()));
}

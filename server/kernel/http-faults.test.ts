import { Writable } from 'node:stream';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Fault } from './faults.ts';
import { errorBody, reportFault } from './http.ts';

test.each([
  [new AppError('UNAVAILABLE', { message: 'Many pictures.', retryAfterSeconds: 5 }), 40, false],
  [new AppError('UNAVAILABLE', { message: 'We can’t send email right now. Try again later.' }), 50, true],
  [new Error('a bug'), 50, true],
])('%s is counted and logged with the expected level and stack', async (error, level, hasStack) => {
  const lines: string[] = [];
  const faults: Fault[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const app = fastify({ logger: { level: 'warn', stream } });
  app.decorate('faults', {
    note: (fault) => void faults.push(fault),
    flush: async () => undefined,
    close: async () => undefined,
  });
  app.get('/busy', (request) => {
    reportFault(error, errorBody(error, request.id), request);
    return {};
  });
  await app.inject('/busy');
  await app.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`"level":${level}`);
  expect(lines[0]?.includes('"stack"')).toBe(hasStack);
  expect(faults).toMatchObject([{ route: 'GET /busy' }]);
});

import { Writable } from 'node:stream';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { ErrorOccurrence } from '../error-stats.ts';
import { reportServerError, toErrorResponse } from './http.ts';

test.each([
  [new AppError('UNAVAILABLE', { message: 'Many pictures.', retryAfterSeconds: 5 }), 40, false],
  [new AppError('UNAVAILABLE', { message: 'We can’t send email right now. Try again later.' }), 50, true],
  [new Error('a bug'), 50, true],
])('%s is counted and logged with the expected level and stack', async (error, level, hasStack) => {
  const lines: string[] = [];
  const occurrences: ErrorOccurrence[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const app = fastify({ logger: { level: 'warn', stream } });
  app.decorate('errorStats', {
    note: (occurrence) => void occurrences.push(occurrence),
    flush: async () => undefined,
    close: async () => undefined,
  });
  app.get('/busy', (request) => {
    reportServerError(error, toErrorResponse(error, request.id), request);
    return {};
  });
  await app.inject('/busy');
  await app.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`"level":${level}`);
  expect(lines[0]?.includes('"stack"')).toBe(hasStack);
  expect(occurrences).toMatchObject([{ route: 'GET /busy' }]);
});

import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from './log.ts';

function logError(...line: [object, string]): string {
  let text = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  createLogger({ level: 'debug', isPretty: false }, stream).error(...line);
  return text;
}

test('a logged error contains its code and cause but no personal data', () => {
  const refused = Object.assign(new Error('duplicate key value violates unique constraint'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com) already exists.',
    rejected: ['ada@example.com'],
  });
  const text = logError({ err: new Error('outer', { cause: refused }) }, 'a request failed');
  expect(JSON.parse(text).err).toMatchObject({ message: 'outer', cause: { code: '23505', type: 'Error' } });
  expect(text).not.toContain('example.com');
  expect(logError({ err: 'ada@example.com' }, 'x')).not.toContain('example.com');
});

test('secrets under their usual names are redacted', () => {
  const user = { password: 'hunter2', token: 'hunter2', email: 'hunter2' };
  expect(logError({ user, req: { headers: { cookie: 'hunter2', authorization: 'hunter2' } } }, 'x')).not.toContain(
    'hunter2',
  );
});

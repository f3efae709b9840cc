/** The security log's own keeping: floods become counts, and a database that is away loses nothing that fits. */
import { expect, test } from 'vitest';
import { testClock } from './clock.ts';
import { createLogger } from './log.ts';
import { createSecurityLog } from './security-log.ts';

test('a flood is one row a second, and waits for a database that is away', async () => {
  let isAway = true;
  const written: unknown[][] = [];
  const db = {
    run: async <Row>(_: unknown, values: unknown[]): Promise<Row[]> => {
      if (isAway) throw new Error('away');
      written.push(values);
      return [];
    },
  };
  const clock = testClock(new Date('2026-01-01T00:00:00Z'));
  const log = createSecurityLog(() => db, clock, createLogger({ level: 'silent', isPretty: false }));
  for (let n = 0; n < 1_000; n += 1) log.note({ kind: 'originRefused', network: '203.0.113.9' });
  await log.flush();
  log.note({ kind: 'originRefused', network: '203.0.113.9' });
  log.note({ kind: 'originRefused', network: '203.0.113.10' });
  isAway = false;
  await log.close();
  expect(written).toHaveLength(1);
  expect(written[0]?.[4]).toEqual(['203.0.113.9', '203.0.113.10']);
  expect(written[0]?.[6]).toEqual([1_001, 1]);
});

import { expect, test } from 'vitest';
import { listBreaches } from './source-rules.mjs';

test('only the configuration reads the environment', () => {
  expect(listBreaches('server/modules/content/posts/service.ts', 'const a = 1;\nconst b = process.env.X;\n')).toEqual([
    'server/modules/content/posts/service.ts:2 reads the environment, which only server/platform/config.ts may',
  ]);
  expect(listBreaches('server/platform/config.ts', 'process.env')).toEqual([]);
  expect(listBreaches('server/platform/log.ts', '// process.env is read elsewhere\n/* process.env */\n')).toEqual([]);
});

test('only the clock reads the time', () => {
  const path = 'server/modules/content/posts/service.ts';
  for (const text of ['Date.now()', 'new Date()', 'new Date( )', 'const d = new Date;']) {
    expect(listBreaches(path, text), text).toHaveLength(1);
  }
  for (const text of ['new Date(row.at)', 'new Date(0)', 'Date.parse(text)', 'new DateTimeFormat()']) {
    expect(listBreaches(path, text), text).toEqual([]);
  }
  expect(listBreaches('server/modules/content/posts/service.test.ts', 'Date.now()')).toEqual([]);
  expect(listBreaches('web/ui/deadline.tsx', 'Date.now()')).toEqual([]);
});

test('whether content is free is not decided by its price', () => {
  const path = 'server/modules/content/posts/service.ts';
  for (const text of [
    'row.price_cents === 0',
    'if (priceCents > 0)',
    "'where p.price_cents = 0'",
    '`m.price_cents <> 0`',
  ]) {
    expect(listBreaches(path, text), text).toHaveLength(1);
  }
  for (const text of ['const priceCents = 0;', 'isFree(row.price_cents)', 'price_cents = $2']) {
    expect(listBreaches(path, text), text).toEqual([]);
  }
  expect(listBreaches('server/modules/content/entitlements/right.ts', 'priceCents === 0')).toEqual([]);
});

test('files stay below the length limit', () => {
  expect(listBreaches('web/ui/a.tsx', 'x;\n'.repeat(401))).toEqual(['web/ui/a.tsx has 401 lines; the limit is 400']);
  expect(listBreaches('web/ui/a.tsx', 'x;\n'.repeat(400))).toEqual([]);
});

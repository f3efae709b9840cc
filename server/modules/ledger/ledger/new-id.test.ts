import { expect, it } from 'vitest';
import { setUpMoneyTest } from '../../../testing/money.ts';

const money = setUpMoneyTest();

function read(id: string) {
  const [, milliseconds = '', version, fraction = '', rest = ''] =
    /^(.{12})(.)(.{3})(.{16})$/.exec(id.replaceAll('-', '')) ?? [];
  return { milliseconds: Number.parseInt(milliseconds, 16), version, fraction: Number.parseInt(fraction, 16), rest };
}

it.each(['1999-12-31 23:59:59.995Z', '2026-11-22 15:00:00.995Z', '2199-07-01 00:00:00.995Z'])(
  '10,000 ids from %s on sort by time, one microsecond apart, and contain their time',
  async (first) => {
    const { rows } = await money.db.pool.query<{ id: string; us: string }>(
      `select ledger_new_id(t.at) as id, (extract(epoch from t.at) * 1000000)::bigint::text as us
        from generate_series(0, 9999) i, lateral (select $1::timestamptz + i * interval '1 microsecond' as at) t order by id`,
      [first],
    );
    const start = new Date(first).getTime() * 1000;
    expect(rows.map(({ us }) => Number(us))).toEqual(rows.map((_, index) => start + index));
    const ids = rows.map(({ id }) => read(id));
    expect(ids.map(({ milliseconds }) => milliseconds)).toEqual(rows.map(({ us }) => Math.floor(Number(us) / 1000)));
    expect(ids.map(({ fraction }) => fraction)).toEqual(
      rows.map(({ us }) => Math.floor(((Number(us) % 1000) * 4096) / 1000)),
    );
    for (const { version, rest } of ids) expect(version + rest).toMatch(/^7[89ab]/);
    expect(new Set(ids.map(({ rest }) => rest)).size).toBe(rows.length);
  },
);

it('an id without a given time uses the current time', async () => {
  const { rows } = await money.db.pool.query<{ isNow: boolean; id: string }>(
    `select n.id, uuid_extract_timestamp(n.id) between date_trunc('milliseconds', now()) and clock_timestamp() as "isNow"
      from (select ledger_new_id(null) as id) n`,
  );
  expect(rows[0]).toMatchObject({ isNow: true });
  expect(read(rows[0]?.id ?? '')).toMatchObject({ version: '7' });
});

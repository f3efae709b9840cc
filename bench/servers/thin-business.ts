/**
 * A minimal server for a creator's earnings: a bare Fastify route around one prepared statement each, which reads the
 * sums that the ledger stores. It has no sessions.
 */
import fastify from 'fastify';
import { openDatabase } from '../../server/platform/database/db.ts';
import { respondToParent } from './parent-messages.ts';

const OWN = `(select id from ledger_accounts where code = 'liab:creator:' || $1 || ':pending')`;
const STORED_SUMS = `(select day, tag, amount_cents, items from ledger_daily_totals where account_id = ${OWN}
  union all select day, tag, amount_cents, items from ledger_inflows where account_id = ${OWN})`;
const STATEMENTS = {
  stats: `select sum(amount_cents) as cents, sum(items) as items, sum(amount_cents) filter (where day = current_date) as today,
    sum(amount_cents) filter (where day = current_date - 1) as yesterday from ${STORED_SUMS} e`,
  chart: `select left(day::text, 7) as month, tag, sum(amount_cents) as cents, sum(items) as items from ${STORED_SUMS} e
    where day >= date_trunc('month', now()) - interval '11 months' group by 1, 2`,
  balance: `select code, balance_cents from ledger_accounts where code = any (array['liab:creator:' || $1 || ':pending',
    'liab:creator:' || $1 || ':available', 'liab:creator:' || $1 || ':payout_reserved', 'asset:creator:' || $1 || ':receivable'])`,
  earnings: `select id, fan_id, kind, gross_cents, fee_cents, created_at, clears_at, note from sales
    where creator_id = $1::uuid and kind = 'tip' order by created_at desc, id desc limit 10`,
  statement: `select sum(amount_cents) as opening from ${STORED_SUMS} e where day < current_date`,
} as const;

const [databaseUrl = ''] = process.argv.slice(2);
const { pool } = openDatabase(databaseUrl, { maxConnections: 10 });
const app = fastify({ logger: false });
for (const [name, text] of Object.entries(STATEMENTS))
  app.get<{ Headers: { creator: string } }>(`/${name}`, async ({ headers }) => {
    const { rows } = await pool.query({ name, text, values: [headers.creator] });
    return { data: rows };
  });
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
respondToParent(typeof address === 'object' && address ? address.port : 0);
process.once('SIGTERM', () => process.exit(0));

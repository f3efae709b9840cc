/**
 * A minimal server that does the same work over HTTP: a bare Fastify route around one prepared statement. It has no
 * sessions, rate limit or validation beyond JSON. `/tip` calls the product's own SQL function, `/plain` that of
 * fixtures/plain-ledger.ts, and `/timeline` reads twenty posts of a timeline that was stored on write.
 */
import fastify from 'fastify';
import { openDatabase } from '../../server/platform/database/db.ts';
import { respondToParent } from './parent-messages.ts';

type TipRequest = {
  Params: { creatorId: string };
  Body: { amount: number };
  Headers: { fan: string; 'idempotency-key': string };
};

const [databaseUrl = ''] = process.argv.slice(2);
const { pool } = openDatabase(databaseUrl, { maxConnections: 10 });
const app = fastify({ logger: false });
const hash = Buffer.alloc(32);

app.post<TipRequest>('/tip/:creatorId', async ({ params, body, headers }) => {
  const { rows } = await pool.query({
    name: 'tip',
    text: `select transaction_id, balance_cents from sales_charge('tip', $1, $2, $3, $4, $5, null, '', 'profile')`,
    values: [headers.fan, params.creatorId, Math.round(body.amount * 100), headers['idempotency-key'], hash],
  });
  return { deposit: rows[0].balance_cents / 100, transactionId: rows[0].transaction_id };
});

app.post<TipRequest>('/plain/:creatorId', async ({ params, body, headers }) => {
  const { rows } = await pool.query({
    name: 'plain',
    text: 'select id, balance from bench.tip($1, $2, $3, $4)',
    values: [headers.fan, params.creatorId, Math.round(body.amount * 100), headers['idempotency-key']],
  });
  return { deposit: rows[0].balance / 100, transactionId: rows[0].id };
});

app.get<{ Headers: { fan: string } }>('/timeline', async ({ headers }) => {
  const { rows } = await pool.query({
    name: 'timeline',
    text: `select p.id, p.caption, p.price_cents, p.like_count, p.created_at, u.username, u.name, pm.alt, m.id as media, m.width, m.height
      from (select post_id from timelines where fan_id = $1 order by post_id desc limit 20) t
      join posts p on p.id = t.post_id join users u on u.id = p.creator_id
      join post_media pm on pm.post_id = p.id and pm.position = 0 join media m on m.id = pm.media_id
      order by p.id desc`,
    values: [headers.fan],
  });
  return { data: rows };
});

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
respondToParent(typeof address === 'object' && address ? address.port : 0);
process.once('SIGTERM', () => process.exit(0));

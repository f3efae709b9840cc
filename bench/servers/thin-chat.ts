/**
 * A minimal chat server: a bare Fastify route around one INSERT, and bare ws sockets that receive what was inserted. It
 * has no sessions, permissions or validation beyond JSON. Two more routes show the share of the database: one calls the
 * product's own SQL function, one makes as many round trips as a purchase.
 */
import { randomUUID } from 'node:crypto';
import fastify, { type FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { openDatabase } from '../../server/platform/database/db.ts';
import { type EmitJob, emitEvenly } from './emits.ts';
import { respondToParent } from './parent-messages.ts';

type ChatRequest = {
  Body: { conversationId: string; to: string; clientId: string; text: string };
  Headers: { fan: string };
};

const [databaseUrl = ''] = process.argv.slice(2);
const { pool } = openDatabase(databaseUrl, { maxConnections: 10 });
const app = fastify({ logger: false });
const sockets = new Map<string, WebSocket>();

function emitMessage(
  id: string,
  createdAt: Date,
  { body, headers }: Pick<FastifyRequest<ChatRequest>, 'body' | 'headers'>,
) {
  const { conversationId, to, clientId, text } = body;
  const message = { id, conversationId, clientId, ownerId: headers.fan, createdAt, text };
  sockets.get(to)?.send(`42${JSON.stringify(['RECEIVE_MESSAGE', [message]])}`);
  return { data: message };
}

const createInsert = ({
  body: { conversationId, clientId, text },
  headers,
}: Pick<FastifyRequest<ChatRequest>, 'body' | 'headers'>) => ({
  name: 'message',
  text: 'insert into bench.messages (conversation_id, sender_id, client_id, text) values ($1, $2, $3, $4) returning id, created_at',
  values: [conversationId, headers.fan, clientId, text],
});

app.post<ChatRequest>('/message', async (request) => {
  const [row] = (await pool.query(createInsert(request))).rows;
  return emitMessage(row.id, row.created_at, request);
});

app.post<ChatRequest>('/function', async (request) => {
  const { conversationId, clientId, text } = request.body;
  const [id, at] = [randomUUID(), new Date()];
  const { rows } = await pool.query({
    name: 'function',
    text: `select refusal, outcome, is_changed, message_id, conversation_id, other_id, seq, event_id
      from chat_send($1, true, $2, null, $3, $4, 'text', $5, 0, false, null, $6, 1000000, 100, make_interval(days => 30), true, null)`,
    values: [request.headers.fan, conversationId, id, clientId, text, at],
  });
  if (rows[0].refusal !== null) throw new Error(rows[0].refusal);
  return emitMessage(id, at, request);
});

app.post<ChatRequest>('/transaction', async (request) => {
  const client = await pool.connect();
  try {
    await client.query({ name: 'nothing', text: 'select 1' });
    await client.query('begin');
    const [row] = (await client.query(createInsert(request))).rows;
    for (let n = 0; n < 2; n += 1) await client.query({ name: 'nothing', text: 'select 1' });
    await client.query('commit');
    return emitMessage(row.id, row.created_at, request);
  } finally {
    client.release();
  }
});

await app.listen({ port: 0, host: '127.0.0.1' });
new WebSocketServer({ server: app.server, perMessageDeflate: false }).on('connection', (socket, request) => {
  sockets.set(String(request.headers.fan), socket);
});
const address = app.server.address();
respondToParent(typeof address === 'object' && address ? address.port : 0, (question) => {
  const job = question as EmitJob;
  return emitEvenly(job, () => {
    for (const socket of sockets.values()) socket.send(job.text);
  });
});
process.once('SIGTERM', () => process.exit(0));

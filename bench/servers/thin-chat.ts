/**
 * The least that does chat's work: a bare Fastify route around one INSERT, and bare ws sockets that are sent what was inserted.
 * No session, no rights, no validation beyond JSON. It can also send one text to all of its sockets, many times.
 */
import fastify from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { openDatabase } from '../../server/kernel/db.ts';
import { answerParent } from './answer.ts';
import { type Emits, emitEvenly } from './emits.ts';

type Post = { Body: { conversationId: string; to: string; clientId: string; text: string }; Headers: { fan: string } };

const [databaseUrl = ''] = process.argv.slice(2);
const { pool } = openDatabase(databaseUrl, { maxConnections: 10 });
const app = fastify({ logger: false });
const sockets = new Map<string, WebSocket>();

app.post<Post>('/message', async ({ body: { conversationId, to, clientId, text }, headers }) => {
  const { rows } = await pool.query({
    name: 'message',
    text: 'insert into bench.messages (conversation_id, sender_id, client_id, text) values ($1, $2, $3, $4) returning id, created_at',
    values: [conversationId, headers.fan, clientId, text],
  });
  const [{ id, created_at: createdAt }] = rows;
  const message = { id, conversationId, clientId, ownerId: headers.fan, createdAt, text };
  sockets.get(to)?.send(`42${JSON.stringify(['RECEIVE_MESSAGE', [message]])}`);
  return { data: message };
});

await app.listen({ port: 0, host: '127.0.0.1' });
new WebSocketServer({ server: app.server, perMessageDeflate: false }).on('connection', (socket, request) => {
  sockets.set(String(request.headers.fan), socket);
});
const address = app.server.address();
answerParent(typeof address === 'object' && address ? address.port : 0, (question) => {
  // The parent asks nothing else; see chat.ts.
  const job = question as Emits;
  return emitEvenly(job, () => {
    for (const socket of sockets.values()) socket.send(job.text);
  });
});
process.once('SIGTERM', () => process.exit(0));

/** Makers for tests, the demo world and benches: conversations with messages in them, without the way through HTTP; and a tab that listens. */
import { randomUUID } from 'node:crypto';
import type { Context } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import { writeMessage } from './send.ts';

export type Say = {
  from: 'creator' | 'fan';
  text: string;
  /** The context's present by default; messages are to be said in their order. */
  at?: Date;
  priceCents?: number;
  /** Random by default: the same id says it once. */
  clientId?: string;
};

/** Says something in the conversation of two, which begins with it if there is none and is open from then on. Answers the ids. */
export async function say(
  ctx: Context,
  pair: { creatorId: string; fanId: string },
  { from, text, at = ctx.clock.now(), priceCents = 0, clientId = randomUUID() }: Say,
): Promise<{ messageId: string; conversationId: string }> {
  const isCreator = from === 'creator';
  await ctx.db.query
    .insertInto('conversations')
    .values({ id: newId(ctx.clock), creator_id: pair.creatorId, fan_id: pair.fanId, state: 'open', created_at: at })
    .onConflict((conflict) => conflict.columns(['fan_id', 'creator_id']).doUpdateSet({ state: 'open' }))
    .execute();
  await ctx.db.query
    .insertInto('chat_bonds')
    .values({ fan_id: pair.fanId, creator_id: pair.creatorId, since: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const written = await writeMessage(ctx.db, 1, {
    senderId: isCreator ? pair.creatorId : pair.fanId,
    isCreator,
    to: { receiverId: isCreator ? pair.fanId : pair.creatorId },
    id: newId(ctx.clock),
    clientId,
    type: 'text',
    text,
    priceCents,
    isViewOnce: false,
    details: null,
    at,
  });
  return { messageId: written.message_id, conversationId: written.conversation_id };
}

export type Heard = { name: string; payload: Record<string, unknown> & unknown[] };
export type Tab = {
  heard: Heard[];
  of(name: string): Heard['payload'][];
  send(name: string, payload?: unknown): void;
  close(): void;
  closed: Promise<void>;
};

/** A connected tab over the real protocol (Engine.IO 4), and what it hears. `auth` goes with its connect packet. */
export async function openTab(port: number, cookie = '', auth?: object): Promise<Tab> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, { headers: { cookie } });
  const heard: Heard[] = [];
  const closed = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('error', () => reject(new Error('no connection')));
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (text.startsWith('0')) socket.send(`40${auth ? JSON.stringify(auth) : ''}`);
      if (text === '2') socket.send('3');
      if (text.startsWith('40')) resolve();
      if (text.startsWith('42')) {
        const [name, payload] = JSON.parse(text.slice(2));
        heard.push({ name, payload });
      }
    });
  });
  return {
    heard,
    of: (name) => heard.filter((one) => one.name === name).map(({ payload }) => payload),
    send: (name, payload) => socket.send(`42${JSON.stringify(payload === undefined ? [name] : [name, payload])}`),
    close: () => socket.close(),
    closed,
  };
}

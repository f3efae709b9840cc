import type { Message } from '@stagedoor/contract/messaging/messages.ts';

export { seedMessage } from './outbox/seed-message.ts';

export type SocketEvent = { name: string; payload: Record<string, unknown> & unknown[] };
export type TestTab = {
  received: SocketEvent[];
  listPayloads(name: string): SocketEvent['payload'][];
  send(name: string, payload?: unknown): void;
  close(): void;
  closed: Promise<void>;
};

/**
 * Uses the real protocol (Engine.IO 4). `auth` is sent with the connect packet, `address` is the client address that a
 * proxy reports.
 */
export async function openTab(port: number, cookie = '', auth?: object, address?: string): Promise<TestTab> {
  const headers = { cookie, ...(address !== undefined && { 'x-forwarded-for': address }) };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, { headers });
  const received: SocketEvent[] = [];
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
        received.push({ name, payload });
      }
    });
  });
  return {
    received,
    listPayloads: (name) => received.filter((entry) => entry.name === name).map(({ payload }) => payload),
    send: (name, payload) => socket.send(`42${JSON.stringify(payload === undefined ? [name] : [name, payload])}`),
    close: () => socket.close(),
    closed,
  };
}

export type ReconnectingClient = {
  messages(): Message[];
  connections(): number;
  isConnected(): boolean;
  close(): void;
};

/** A client that reconnects as specified: after a moment, to the next port, with the last message that it received. */
export function openReconnectingClient(
  ports: readonly number[],
  cookie: string,
  lastMessageId?: string,
): ReconnectingClient {
  const tabs: TestTab[] = [];
  let isOpen = true;
  let isConnected = false;
  const messages = () => tabs.flatMap((tab) => tab.listPayloads('RECEIVE_MESSAGE').flat()) as unknown as Message[];
  const run = async () => {
    while (isOpen) {
      const last = messages().at(-1)?.id ?? lastMessageId;
      const port = ports[tabs.length % ports.length] ?? 0;
      const tab = await openTab(port, cookie, last ? { lastMessageId: last } : undefined).catch(() => undefined);
      if (tab) {
        tabs.push(tab);
        isConnected = true;
        if (!isOpen) tab.close();
        await tab.closed;
        isConnected = false;
      }
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  };
  void run();
  return {
    messages,
    connections: () => tabs.length,
    isConnected: () => isConnected,
    close: () => {
      isOpen = false;
      tabs.at(-1)?.close();
    },
  };
}

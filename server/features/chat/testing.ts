/** A tab that listens, for tests, and what they say. */
export { say } from './say.ts';

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

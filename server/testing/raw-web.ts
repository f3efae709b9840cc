/** A client by WebSocket (RFC 6455) on a bare connection, for tests of what browsers do not do: it reads only as long as it is told to. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

export type RawWeb = {
  /** `pause` stops reading; what is said goes out all the same. */
  readonly socket: Socket;
  /** Sends a text of Engine.IO's protocol. */
  say(text: string): void;
  /** The events it was told, as texts of Socket.IO's protocol. */
  heard(): string[];
  readonly closed: Promise<void>;
};

/** Cuts a server's frames into texts; a last one that is not whole yet is left out. */
function texts(bytes: Buffer): string[] {
  const found: string[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const short = bytes.readUInt8(at + 1);
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (at + head > bytes.length) break;
    const length =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    if (at + head + length > bytes.length) break;
    found.push(bytes.toString('utf8', at + head, at + head + length));
    at += head + length;
  }
  return found;
}

/** A client's text frame, masked with zeroes: as it is. For up to 125 bytes. */
function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

/** Connects with Engine.IO and Socket.IO; `auth` goes with the latter. */
export async function openRaw(port: number, { auth = {}, cookie = '' } = {}): Promise<RawWeb> {
  const asked = request({
    port,
    host: '127.0.0.1',
    path: '/socket.io/?EIO=4&transport=websocket',
    headers: {
      ...(cookie && { cookie }),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  }).end();
  const [, socket, early]: [unknown, Socket, Buffer] = await new Promise((resolve) =>
    asked.on('upgrade', (...all) => resolve(all)),
  );
  const chunks = [early];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const say = (text: string) => void socket.write(frameOf(text));
  say(`40${JSON.stringify(auth)}`);
  const all = () => texts(Buffer.concat(chunks));
  while (!all().some((text) => text.startsWith('40'))) await once(socket, 'data');
  return {
    socket,
    say,
    heard: () => all().filter((text) => text.startsWith('42')),
    closed,
  };
}

/** A WebSocket client (RFC 6455) that can stop reading. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

export type RawSocket = {
  readonly socket: Socket;
  send(text: string): void;
  listEvents(): string[];
  readonly closed: Promise<void>;
};

/** An incomplete last frame is ignored. */
function parseTexts(bytes: Buffer): string[] {
  const texts: string[] = [];
  let at = 0;
  while (at + 2 <= bytes.length) {
    const short = bytes.readUInt8(at + 1);
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (at + head > bytes.length) break;
    const length =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    if (at + head + length > bytes.length) break;
    texts.push(bytes.toString('utf8', at + head, at + head + length));
    at += head + length;
  }
  return texts;
}

/** Up to 125 bytes. The mask is zero, so that the text is unchanged. */
function toFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

export async function openRawSocket(port: number, { auth = {}, cookie = '' } = {}): Promise<RawSocket> {
  const upgradeRequest = request({
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
    upgradeRequest.on('upgrade', (...all) => resolve(all)),
  );
  const chunks = [early];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const send = (text: string) => void socket.write(toFrame(text));
  send(`40${JSON.stringify(auth)}`);
  const all = () => parseTexts(Buffer.concat(chunks));
  while (!all().some((text) => text.startsWith('40'))) await once(socket, 'data');
  return {
    socket,
    send,
    listEvents: () => all().filter((text) => text.startsWith('42')),
    closed,
  };
}

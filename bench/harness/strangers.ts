/**
 * A process that simulates abusive anonymous clients: they request a film and do not read it, flood the socket with
 * signals over one user's cookie, and send forms at one byte per second. A closed connection is reopened as often as
 * our own client would, from many network addresses.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { answerParent } from '../servers/answer.ts';
import { startChild } from './child.ts';
import { clientFrame, FrameReader } from './frames.ts';

export type Crowd = {
  port: number;
  readers: number;
  flooders: number;
  forms: number;
  film: string;
  flooder: string;
  senders: readonly string[];
};
export type Fate = Record<'readers' | 'flooders' | 'forms', { opened: number; open: number }>;

export async function startStrangers() {
  const child = await startChild('harness/strangers.ts');
  return {
    come: (crowd: Crowd) => child.ask<null>({ come: crowd }),
    go: () => child.ask<Fate>({ go: true }),
    stop: child.stop,
  };
}

/** The longest reconnection delay of the Socket.IO client. */
const AGAIN_MS = 5_000;
const FLOOD_MS = 20;
const NETWORKS = 100;
/** The time until all are connected and the system's buffers are full of unread data. */
const SETTLE_MS = 5_000;
const OPEN = Buffer.from('0');
const IN = Buffer.from('40');

type Kind = keyof Fate;
const sockets = new Map<Socket, Kind>();
const opened: Record<Kind, number> = { readers: 0, flooders: 0, forms: 0 };
const timers = new Set<NodeJS.Timeout>();
let isHere = false;

const networkOf = (n: number) => `x-forwarded-for: 198.18.${n % NETWORKS}.1`;

function open(kind: Kind, port: number, begin: (socket: Socket) => () => void): void {
  if (!isHere) return;
  const socket = connect(port, '127.0.0.1');
  sockets.set(socket, kind);
  opened[kind] += 1;
  const end = begin(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    end();
    sockets.delete(socket);
    if (!isHere) return;
    const again = setTimeout(() => {
      timers.delete(again);
      open(kind, port, begin);
    }, AGAIN_MS);
    timers.add(again);
  });
}

function stall({ film }: Crowd, n: number) {
  return (socket: Socket) => {
    socket.write(`GET ${film} HTTP/1.1\r\nhost: 127.0.0.1\r\n${networkOf(n)}\r\n\r\n`);
    socket.once('data', () => socket.pause());
    return () => undefined;
  };
}

function flood({ flooder }: Crowd, n: number) {
  return (socket: Socket) => {
    const key = randomBytes(16).toString('base64');
    socket.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n${flooder}\r\n${networkOf(n)}\r\n\r\n`,
    );
    const reader = new FrameReader();
    let isUpgraded = false;
    let flooding: NodeJS.Timeout | undefined;
    const hear = (payload: Buffer) => {
      if (payload.subarray(0, 1).equals(OPEN)) socket.write(clientFrame('40'));
      if (payload.subarray(0, 2).equals(IN))
        flooding ??= setInterval(() => {
          const marks = { conversationId: randomUUID(), msgIds: [randomUUID()], status: 'read' };
          socket.write(clientFrame(`42${JSON.stringify(['UPDATE_MESSAGE_STATUS', marks])}`));
        }, FLOOD_MS);
    };
    socket.on('data', (chunk) => {
      if (isUpgraded) return reader.push(chunk, hear);
      const end = chunk.indexOf('\r\n\r\n');
      isUpgraded = true;
      reader.push(chunk.subarray(end + 4), hear);
    });
    return () => clearInterval(flooding);
  };
}

function drip({ senders }: Crowd, n: number) {
  return (socket: Socket) => {
    socket.write(
      `POST /api/message/media-message HTTP/1.1\r\nhost: 127.0.0.1\r\n${senders[n % senders.length]}\r\n${networkOf(n)}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n--b\r\n`,
    );
    const dripping = setInterval(() => socket.write('a'), 1_000);
    socket.resume();
    return () => clearInterval(dripping);
  };
}

async function come(crowd: Crowd): Promise<null> {
  isHere = true;
  for (const kind of ['readers', 'flooders', 'forms'] as const) opened[kind] = 0;
  for (let n = 0; n < crowd.readers; n += 1) open('readers', crowd.port, stall(crowd, n));
  for (let n = 0; n < crowd.flooders; n += 1) open('flooders', crowd.port, flood(crowd, n));
  for (let n = 0; n < crowd.forms; n += 1) open('forms', crowd.port, drip(crowd, n));
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return null;
}

function go(): Fate {
  isHere = false;
  const count = (kind: Kind) => ({
    opened: opened[kind],
    open: [...sockets.values()].filter((other) => other === kind).length,
  });
  const fate = { readers: count('readers'), flooders: count('flooders'), forms: count('forms') };
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  for (const socket of sockets.keys()) socket.destroy();
  return fate;
}

if (process.argv[1] === import.meta.filename) {
  answerParent(0, (question) => {
    const job = question as { come: Crowd } | { go: true };
    return 'come' in job ? come(job.come) : Promise.resolve(go());
  });
}

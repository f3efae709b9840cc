/**
 * A process that simulates abusive anonymous clients: they request a film and do not read it, flood the socket with
 * signals over one user's cookie, and send forms at one byte per second. A closed connection is reopened as often as
 * our own client would, from many network addresses.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { respondToParent } from '../servers/parent-messages.ts';
import { startChild } from './child.ts';
import { encodeFrame, FrameReader } from './frames.ts';

export type AbuseJob = {
  port: number;
  readers: number;
  flooders: number;
  forms: number;
  film: string;
  flooder: string;
  senders: readonly string[];
};
export type ConnectionCounts = Record<'readers' | 'flooders' | 'forms', { opened: number; open: number }>;

export async function startAnonymousClients() {
  const child = await startChild('harness/anonymous-clients.ts');
  return {
    start: (job: AbuseJob) => child.request<null>({ start: job }),
    finish: () => child.request<ConnectionCounts>({ finish: true }),
    stop: child.stop,
  };
}

/** The longest reconnection delay of the Socket.IO client. */
const RECONNECT_MS = 5_000;
const FLOOD_MS = 20;
const NETWORKS = 100;
/** The time until all are connected and the system's buffers are full of unread data. */
const SETTLE_MS = 5_000;
const OPEN = Buffer.from('0');
const CONNECTED = Buffer.from('40');

type Kind = keyof ConnectionCounts;
const sockets = new Map<Socket, Kind>();
const opened: Record<Kind, number> = { readers: 0, flooders: 0, forms: 0 };
const timers = new Set<NodeJS.Timeout>();
let isActive = false;

const toForwardedHeader = (n: number) => `x-forwarded-for: 198.18.${n % NETWORKS}.1`;

function open(kind: Kind, port: number, onOpen: (socket: Socket) => () => void): void {
  if (!isActive) return;
  const socket = connect(port, '127.0.0.1');
  sockets.set(socket, kind);
  opened[kind] += 1;
  const cleanUp = onOpen(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    cleanUp();
    sockets.delete(socket);
    if (!isActive) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      open(kind, port, onOpen);
    }, RECONNECT_MS);
    timers.add(timer);
  });
}

function stall({ film }: AbuseJob, n: number) {
  return (socket: Socket) => {
    socket.write(`GET ${film} HTTP/1.1\r\nhost: 127.0.0.1\r\n${toForwardedHeader(n)}\r\n\r\n`);
    socket.once('data', () => socket.pause());
    return () => undefined;
  };
}

function flood({ flooder }: AbuseJob, n: number) {
  return (socket: Socket) => {
    const key = randomBytes(16).toString('base64');
    socket.write(
      `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n${flooder}\r\n${toForwardedHeader(n)}\r\n\r\n`,
    );
    const reader = new FrameReader();
    let isUpgraded = false;
    let flooding: NodeJS.Timeout | undefined;
    const onFrame = (payload: Buffer) => {
      if (payload.subarray(0, 1).equals(OPEN)) socket.write(encodeFrame('40'));
      if (payload.subarray(0, 2).equals(CONNECTED))
        flooding ??= setInterval(() => {
          const payload = { conversationId: randomUUID(), msgIds: [randomUUID()], status: 'read' };
          socket.write(encodeFrame(`42${JSON.stringify(['UPDATE_MESSAGE_STATUS', payload])}`));
        }, FLOOD_MS);
    };
    socket.on('data', (chunk) => {
      if (isUpgraded) return reader.push(chunk, onFrame);
      const end = chunk.indexOf('\r\n\r\n');
      isUpgraded = true;
      reader.push(chunk.subarray(end + 4), onFrame);
    });
    return () => clearInterval(flooding);
  };
}

function drip({ senders }: AbuseJob, n: number) {
  return (socket: Socket) => {
    socket.write(
      `POST /api/message/media-message HTTP/1.1\r\nhost: 127.0.0.1\r\n${senders[n % senders.length]}\r\n${toForwardedHeader(n)}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000\r\n\r\n--b\r\n`,
    );
    const dripping = setInterval(() => socket.write('a'), 1_000);
    socket.resume();
    return () => clearInterval(dripping);
  };
}

async function start(job: AbuseJob): Promise<null> {
  isActive = true;
  for (const kind of ['readers', 'flooders', 'forms'] as const) opened[kind] = 0;
  for (let n = 0; n < job.readers; n += 1) open('readers', job.port, stall(job, n));
  for (let n = 0; n < job.flooders; n += 1) open('flooders', job.port, flood(job, n));
  for (let n = 0; n < job.forms; n += 1) open('forms', job.port, drip(job, n));
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return null;
}

function finish(): ConnectionCounts {
  isActive = false;
  const count = (kind: Kind) => ({
    opened: opened[kind],
    open: [...sockets.values()].filter((other) => other === kind).length,
  });
  const counts = { readers: count('readers'), flooders: count('flooders'), forms: count('forms') };
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  for (const socket of sockets.keys()) socket.destroy();
  return counts;
}

if (process.argv[1] === import.meta.filename) {
  respondToParent(0, (question) => {
    const job = question as { start: AbuseJob } | { finish: true };
    return 'start' in job ? start(job.start) : Promise.resolve(finish());
  });
}

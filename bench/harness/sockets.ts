/**
 * A process that opens any number of bare or Socket.IO WebSockets and counts their events. It also sends messages over
 * HTTP, so that one clock times both ends of a message.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { respondToParent } from '../servers/parent-messages.ts';
import { type Child, startChild } from './child.ts';
import { encodeFrame, FrameReader } from './frames.ts';
import { ResponseReader } from './response-reader.ts';

export type OpenJob = { open: string; port: number; isSocketIo: boolean; headers: readonly string[] };
/** Closes the listeners. A later group of the same name starts at 0 again. */
export type CloseJob = { close: string };
export type AwaitJob = { await: string; events: number };
export type OutgoingMessage = {
  from: number;
  header: string;
  path: string;
  body: string;
  key: string;
  to: number;
};
/**
 * Messages for one server, the listeners that receive them, the name of their event, and the event field that holds the
 * key.
 */
export type MessageStream = {
  group: string;
  port: number;
  messages: readonly OutgoingMessage[];
  event: string;
  field: string;
};
/**
 * Sends the messages of all streams alternately, this many per second of each, and times each until its event arrives.
 * Other load on the machine affects all streams alike.
 */
export type SendStreamsJob = { streams: readonly MessageStream[]; perSecond: number };
export type SendJob = { send: string; port: number; message: OutgoingMessage; events: number };
export type StreamTimes = { p50Ms: number; p99Ms: number; count: number };
export type SendTimes = { ackMs: number; lastMs: number };

export type Sockets = Awaited<ReturnType<typeof startSockets>>;
export async function startSockets() {
  const child: Child = await startChild('harness/sockets.ts');
  return {
    open: (job: OpenJob) => child.request<number>(job),
    close: (job: CloseJob) => child.request<number>(job),
    await: (job: AwaitJob) => child.request<number>(job),
    sendStreams: (job: SendStreamsJob) => child.request<StreamTimes[]>(job),
    send: (job: SendJob) => child.request<SendTimes>(job),
    stop: child.stop,
  };
}

const DEADLINE_MS = 60_000;
const CONCURRENCY = 50;
const EVENT = Buffer.from('42["');
/** Only this event is counted, because presence and similar events come at any time. */
const COUNTED = Buffer.from('42["RECEIVE_MESSAGE"');

type Group = { sockets: Socket[]; events: number; counted: number };
const groups = new Map<string, Group>();
type EventCallback = (group: string, index: number, payload: Buffer) => void;
let onEvent: EventCallback = () => undefined;

async function listen(name: string, { port, isSocketIo }: OpenJob, header: string): Promise<void> {
  const group = groups.get(name) ?? { sockets: [], events: 0, counted: 0 };
  groups.set(name, group);
  const socket = connect(port, '127.0.0.1');
  const index = group.sockets.push(socket) - 1;
  socket.setNoDelay(true);
  socket.write(
    `${[
      `GET ${isSocketIo ? '/socket.io/?EIO=4&transport=websocket' : '/'} HTTP/1.1`,
      'host: 127.0.0.1',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
      header,
    ].join('\r\n')}\r\n\r\n`,
  );
  await new Promise<void>((resolve, reject) => {
    const reader = new FrameReader();
    let isUpgraded = false;
    const onFrame = (payload: Buffer) => {
      if (payload.subarray(0, EVENT.length).equals(EVENT)) {
        if (payload.subarray(0, COUNTED.length).equals(COUNTED)) group.events += 1;
        onEvent(name, index, payload);
      } else if (isSocketIo) {
        const text = payload.toString('latin1', 0, 2);
        if (text.startsWith('0')) socket.write(encodeFrame('40'));
        else if (text === '2') socket.write(encodeFrame('3'));
        else if (text === '40') resolve();
      }
    };
    socket.on('data', (chunk) => {
      if (isUpgraded) return reader.push(chunk, onFrame);
      const end = chunk.indexOf('\r\n\r\n');
      if (end < 0 || !chunk.toString('latin1', 0, 12).endsWith(' 101'))
        return void reject(new Error(`no WebSocket: ${chunk.toString('latin1', 0, 200)}`));
      isUpgraded = true;
      if (!isSocketIo) resolve();
      reader.push(chunk.subarray(end + 4), onFrame);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('a listener was disconnected')));
  });
}

async function open(job: OpenJob): Promise<number> {
  for (let from = 0; from < job.headers.length; from += CONCURRENCY)
    await Promise.all(job.headers.slice(from, from + CONCURRENCY).map((header) => listen(job.open, job, header)));
  return job.headers.length;
}

async function close({ close: name }: CloseJob): Promise<number> {
  const { sockets } = groups.get(name) ?? { sockets: [] };
  groups.delete(name);
  for (const socket of sockets) socket.destroy();
  return sockets.length;
}

async function waitUntil(isDone: () => boolean, what: () => string): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!isDone()) {
    if (performance.now() > end) throw new Error(`${what()} within ${DEADLINE_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function countEvents({ await: name, events }: AwaitJob): Promise<number> {
  const group = groups.get(name);
  if (!group) throw new Error(`no listeners named ${name}`);
  await waitUntil(
    () => group.events - group.counted >= events,
    () => `only ${group.events - group.counted} of ${events} events reached ${name}`,
  );
  const count = group.events - group.counted;
  group.counted = group.events;
  return count;
}

const senders = new Map<string, { socket: Socket; last: Promise<void> }>();

async function sendMessage(port: number, { from, header, path, body }: OutgoingMessage): Promise<void> {
  const name = `${port} ${from}`;
  const existing = senders.get(name);
  const sender = existing ?? { socket: connect(port, '127.0.0.1'), last: Promise.resolve() };
  senders.set(name, sender);
  const before = sender.last;
  const { socket } = sender;
  const sent = (async () => {
    await before;
    if (!existing) {
      socket.setNoDelay(true);
      await once(socket, 'connect');
    }
    const reader = new ResponseReader();
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${header}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    for (;;) {
      const [chunk] = await once(socket, 'data');
      const response = reader.push(chunk);
      if (!response) continue;
      if (response.status !== 200) throw new Error(`POST ${path}: ${response.status} ${response.start}`);
      return;
    }
  })();
  sender.last = sent;
  return sent;
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

type PendingStream = {
  stream: MessageStream;
  prefix: Buffer;
  marker: Buffer;
  times: number[];
  keys: Map<string, { at: number; to: number }>;
};

function recordArrival(
  { stream, prefix, marker, times, keys }: PendingStream,
  group: string,
  index: number,
  payload: Buffer,
): void {
  if (group !== stream.group || !payload.subarray(0, prefix.length).equals(prefix)) return;
  const at = payload.indexOf(marker) + marker.length;
  const key = payload.toString('latin1', at, at + 36);
  const one = keys.get(key);
  if (one?.to !== index) return;
  times.push(performance.now() - one.at);
  keys.delete(key);
}

async function sendStreams({ streams, perSecond }: SendStreamsJob): Promise<StreamTimes[]> {
  const pending = streams.map((stream): PendingStream => {
    const [prefix, marker] = [Buffer.from(`42["${stream.event}"`), Buffer.from(`"${stream.field}":"`)];
    return { stream, prefix, marker, times: [], keys: new Map() };
  });
  onEvent = (group, index, payload) => {
    for (const one of pending) recordArrival(one, group, index, payload);
  };
  const started = performance.now();
  const sent: Promise<void>[] = [];
  const count = Math.max(...streams.map(({ messages }) => messages.length));
  for (let n = 0; n < count * streams.length; n += 1) {
    const waitMs = started + (n * 1000) / (perSecond * streams.length) - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const one = pending[n % streams.length];
    const message = one?.stream.messages[Math.floor(n / streams.length)];
    if (!one || !message) continue;
    one.keys.set(message.key, { at: performance.now(), to: message.to });
    sent.push(sendMessage(one.stream.port, message));
  }
  await Promise.all(sent);
  const missing = () => pending.reduce((sum, { keys }) => sum + keys.size, 0);
  await waitUntil(
    () => missing() === 0,
    () => `${missing()} of ${sent.length} events did not arrive`,
  );
  onEvent = () => undefined;
  return pending.map(({ times }) => {
    const sorted = Float64Array.from(times).sort();
    return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), count: times.length };
  });
}

async function send({ send: name, port, message, events }: SendJob): Promise<SendTimes> {
  await countEvents({ await: name, events: 0 });
  let remaining = events;
  let lastMs = 0;
  const marker = Buffer.from(message.key);
  const started = performance.now();
  onEvent = (group, _index, payload) => {
    if (group !== name || !payload.includes(marker)) return;
    remaining -= 1;
    lastMs = performance.now() - started;
  };
  await sendMessage(port, message);
  const ackMs = performance.now() - started;
  await waitUntil(
    () => remaining <= 0,
    () => `${remaining} of ${events} listeners received nothing`,
  );
  onEvent = () => undefined;
  return { ackMs, lastMs };
}

if (process.argv[1] === import.meta.filename) {
  respondToParent(0, (question) => {
    const job = question as OpenJob | CloseJob | AwaitJob | SendStreamsJob | SendJob;
    if ('open' in job) return open(job);
    if ('close' in job) return close(job);
    if ('await' in job) return countEvents(job);
    return 'streams' in job ? sendStreams(job) : send(job);
  });
}

/**
 * A process that opens any number of bare or Socket.IO WebSockets and counts their events. It also sends messages over
 * HTTP, so that one clock times both ends of a message.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { answerParent } from '../servers/answer.ts';
import { AnswerReader } from './answer-reader.ts';
import { type Child, startChild } from './child.ts';
import { clientFrame, FrameReader } from './frames.ts';

export type Open = { open: string; port: number; isSocketIo: boolean; headers: readonly string[] };
/** Closes the listeners. A later group of the same name starts at 0 again. */
export type Close = { close: string };
export type Await = { await: string; events: number };
export type Saying = {
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
export type Lane = { group: string; port: number; sayings: readonly Saying[]; event: string; field: string };
/**
 * Sends the messages of all lanes alternately, this many per second of each, and times each until its event arrives.
 * Other load on the machine affects all lanes alike.
 */
export type Talk = { lanes: readonly Lane[]; perSecond: number };
export type Call = { call: string; port: number; saying: Saying; events: number };
export type Talked = { p50Ms: number; p99Ms: number; count: number };
export type Called = { ackMs: number; lastMs: number };

export type Sockets = Awaited<ReturnType<typeof startSockets>>;
export async function startSockets() {
  const child: Child = await startChild('harness/sockets.ts');
  return {
    open: (job: Open) => child.ask<number>(job),
    close: (job: Close) => child.ask<number>(job),
    await: (job: Await) => child.ask<number>(job),
    talk: (job: Talk) => child.ask<Talked[]>(job),
    call: (job: Call) => child.ask<Called>(job),
    stop: child.stop,
  };
}

const DEADLINE_MS = 60_000;
const AT_ONCE = 50;
const EVENT = Buffer.from('42["');
/** Only this event is counted, because presence and similar events come at any time. */
const COUNTED = Buffer.from('42["RECEIVE_MESSAGE"');

type Group = { sockets: Socket[]; events: number; counted: number };
const groups = new Map<string, Group>();
type Heard = (group: string, index: number, payload: Buffer) => void;
let onEvent: Heard = () => undefined;

async function listen(name: string, { port, isSocketIo }: Open, header: string): Promise<void> {
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
    const take = (payload: Buffer) => {
      if (payload.subarray(0, EVENT.length).equals(EVENT)) {
        if (payload.subarray(0, COUNTED.length).equals(COUNTED)) group.events += 1;
        onEvent(name, index, payload);
      } else if (isSocketIo) {
        const text = payload.toString('latin1', 0, 2);
        if (text.startsWith('0')) socket.write(clientFrame('40'));
        else if (text === '2') socket.write(clientFrame('3'));
        else if (text === '40') resolve();
      }
    };
    socket.on('data', (chunk) => {
      if (isUpgraded) return reader.push(chunk, take);
      const end = chunk.indexOf('\r\n\r\n');
      if (end < 0 || !chunk.toString('latin1', 0, 12).endsWith(' 101'))
        return void reject(new Error(`no WebSocket: ${chunk.toString('latin1', 0, 200)}`));
      isUpgraded = true;
      if (!isSocketIo) resolve();
      reader.push(chunk.subarray(end + 4), take);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('a listener was cut off')));
  });
}

async function open(job: Open): Promise<number> {
  for (let from = 0; from < job.headers.length; from += AT_ONCE)
    await Promise.all(job.headers.slice(from, from + AT_ONCE).map((header) => listen(job.open, job, header)));
  return job.headers.length;
}

async function close({ close: name }: Close): Promise<number> {
  const { sockets } = groups.get(name) ?? { sockets: [] };
  groups.delete(name);
  for (const socket of sockets) socket.destroy();
  return sockets.length;
}

async function until(isDone: () => boolean, what: () => string): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (!isDone()) {
    if (performance.now() > end) throw new Error(`${what()} within ${DEADLINE_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function countAnew({ await: name, events }: Await): Promise<number> {
  const group = groups.get(name);
  if (!group) throw new Error(`nobody listens at ${name}`);
  await until(
    () => group.events - group.counted >= events,
    () => `only ${group.events - group.counted} of ${events} events came to ${name}`,
  );
  const came = group.events - group.counted;
  group.counted = group.events;
  return came;
}

const speakers = new Map<string, { socket: Socket; last: Promise<void> }>();

async function say(port: number, { from, header, path, body }: Saying): Promise<void> {
  const name = `${port} ${from}`;
  const known = speakers.get(name);
  const speaker = known ?? { socket: connect(port, '127.0.0.1'), last: Promise.resolve() };
  speakers.set(name, speaker);
  const before = speaker.last;
  const { socket } = speaker;
  const said = (async () => {
    await before;
    if (!known) {
      socket.setNoDelay(true);
      await once(socket, 'connect');
    }
    const reader = new AnswerReader();
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${header}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    for (;;) {
      const [chunk] = await once(socket, 'data');
      const answer = reader.push(chunk);
      if (!answer) continue;
      if (answer.status !== 200) throw new Error(`POST ${path}: ${answer.status} ${answer.start}`);
      return;
    }
  })();
  speaker.last = said;
  return said;
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

type Waiting = {
  lane: Lane;
  prefix: Buffer;
  mark: Buffer;
  times: number[];
  keys: Map<string, { at: number; to: number }>;
};

function hear({ lane, prefix, mark, times, keys }: Waiting, group: string, index: number, payload: Buffer): void {
  if (group !== lane.group || !payload.subarray(0, prefix.length).equals(prefix)) return;
  const at = payload.indexOf(mark) + mark.length;
  const key = payload.toString('latin1', at, at + 36);
  const one = keys.get(key);
  if (one?.to !== index) return;
  times.push(performance.now() - one.at);
  keys.delete(key);
}

async function talk({ lanes, perSecond }: Talk): Promise<Talked[]> {
  const waiting = lanes.map((lane): Waiting => {
    const [prefix, mark] = [Buffer.from(`42["${lane.event}"`), Buffer.from(`"${lane.field}":"`)];
    return { lane, prefix, mark, times: [], keys: new Map() };
  });
  onEvent = (group, index, payload) => {
    for (const one of waiting) hear(one, group, index, payload);
  };
  const started = performance.now();
  const said: Promise<void>[] = [];
  const count = Math.max(...lanes.map(({ sayings }) => sayings.length));
  for (let n = 0; n < count * lanes.length; n += 1) {
    const left = started + (n * 1000) / (perSecond * lanes.length) - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    const one = waiting[n % lanes.length];
    const saying = one?.lane.sayings[Math.floor(n / lanes.length)];
    if (!one || !saying) continue;
    one.keys.set(saying.key, { at: performance.now(), to: saying.to });
    said.push(say(one.lane.port, saying));
  }
  await Promise.all(said);
  const missing = () => waiting.reduce((sum, { keys }) => sum + keys.size, 0);
  await until(
    () => missing() === 0,
    () => `${missing()} of ${said.length} events did not come`,
  );
  onEvent = () => undefined;
  return waiting.map(({ times }) => {
    const sorted = Float64Array.from(times).sort();
    return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), count: times.length };
  });
}

async function call({ call: name, port, saying, events }: Call): Promise<Called> {
  await countAnew({ await: name, events: 0 });
  let left = events;
  let lastMs = 0;
  const mark = Buffer.from(saying.key);
  const started = performance.now();
  onEvent = (group, _index, payload) => {
    if (group !== name || !payload.includes(mark)) return;
    left -= 1;
    lastMs = performance.now() - started;
  };
  await say(port, saying);
  const ackMs = performance.now() - started;
  await until(
    () => left <= 0,
    () => `${left} of ${events} listeners did not hear`,
  );
  onEvent = () => undefined;
  return { ackMs, lastMs };
}

if (process.argv[1] === import.meta.filename) {
  answerParent(0, (question) => {
    const job = question as Open | Close | Await | Talk | Call;
    if ('open' in job) return open(job);
    if ('close' in job) return close(job);
    if ('await' in job) return countAnew(job);
    return 'lanes' in job ? talk(job) : call(job);
  });
}

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Door, openRoom } from './livekit.ts';
import { FakeStream, FakeTrack } from './peer.testing.ts';

const { FakeRoom, FakeLocalTrack } = vi.hoisted(() => {
  class FakeLocalTrack {
    isUpstreamPaused = false;
    readonly mediaStreamTrack: { enabled: boolean; stop(): void };
    constructor(track: { enabled: boolean; stop(): void }) {
      this.mediaStreamTrack = track;
      void Promise.resolve().then(() => {
        track.enabled = true;
      });
    }
    async pauseUpstream() {
      this.isUpstreamPaused = true;
    }
    async resumeUpstream() {
      this.isUpstreamPaused = false;
    }
    stop() {
      this.mediaStreamTrack.stop();
    }
  }
  class FakeRoom {
    static all: FakeRoom[] = [];
    static isThere = true;
    readonly doors: string[] = [];
    readonly listeners = new Map<string, (payload: never) => void>();
    readonly published: { local: FakeLocalTrack; source: string }[] = [];
    readonly remoteParticipants = new Map<string, { trackPublications: Map<string, object> }>();
    hasLeft = false;
    readonly heardFirst: boolean[] = [];
    readonly localParticipant = {
      publishTrack: async (local: FakeLocalTrack, { source }: { source: string }) => {
        this.heardFirst.push(local.mediaStreamTrack.enabled);
        await new Promise((done) => setTimeout(done, 300));
        this.published.push({ local, source });
      },
      unpublishTrack: async (local: FakeLocalTrack) => {
        local.stop();
        this.published.splice(this.published.findIndex((each) => each.local === local) >>> 0, 1);
      },
    };
    constructor() {
      FakeRoom.all.push(this);
    }
    on(event: string, listener: (payload: never) => void) {
      this.listeners.set(event, listener);
    }
    tell(event: string, payload?: unknown) {
      this.listeners.get(event)?.(payload as never);
    }
    async connect(url: string, token: string) {
      this.doors.push(`${url} ${token}`);
      if (!FakeRoom.isThere) throw new Error('not there');
    }
    async disconnect() {
      this.hasLeft = true;
    }
    enter(packets: () => number) {
      const report = new Map([['in', { type: 'inbound-rtp', packetsReceived: 0 }]]);
      const getRTCStatsReport = async () => {
        report.set('in', { type: 'inbound-rtp', packetsReceived: packets() });
        return report;
      };
      this.remoteParticipants.set('other', {
        trackPublications: new Map([['sound', { track: { getRTCStatsReport } }]]),
      });
    }
  }
  return { FakeRoom, FakeLocalTrack };
});

vi.mock('livekit-client', async (original) => ({
  ...(await original<typeof import('livekit-client')>()),
  Room: FakeRoom,
  LocalAudioTrack: FakeLocalTrack,
  LocalVideoTrack: FakeLocalTrack,
  isLocalTrack: (track: unknown) => track instanceof FakeLocalTrack,
}));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('MediaStream', FakeStream);
  FakeRoom.all = [];
  FakeRoom.isThere = true;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const [GONE, REMOVED] = [9, 4];

function enter() {
  const tokens = ['second', 'third', 'fourth', 'fifth'];
  const streams: unknown[] = [];
  const way = openRoom({
    door: { url: 'wss://sfu.example', token: 'first' },
    renew: async (): Promise<Door | undefined> => {
      const token = tokens.shift();
      return token === undefined ? undefined : { url: 'wss://sfu.example', token };
    },
    onRemote: (stream) => streams.push(stream),
  });
  const [room] = FakeRoom.all;
  if (!room) throw new Error('no room was opened');
  return { way, room, streams };
}
const sources = ({ published }: { published: { source: string }[] }) => published.map(({ source }) => source).sort();

test('no media is sent before the clock starts or while it is stopped, but the other side is still detected', async () => {
  const { way, room } = enter();
  way.setTrack('audio', new FakeTrack('audio'));
  way.setTrack('video', new FakeTrack('video'));
  await wait(2_000);
  expect([way.isHeard(), room.published.length]).toEqual([false, 0]);
  room.enter(() => 0);
  await wait(1_000);
  expect(way.isHeard()).toBe(true);
  way.setFlowing(true);
  await wait(1_000);
  expect(sources(room)).toEqual(['camera', 'microphone']);
  way.setFlowing(false);
  await wait(100);
  expect(room.published.map(({ local }) => local.isUpstreamPaused)).toEqual([true, true]);
  way.setFlowing(true);
  await wait(100);
  expect(room.published.map(({ local }) => local.isUpstreamPaused)).toEqual([false, false]);
  way.close();
  expect(room.hasLeft).toBe(true);
});

test('the other side counts as lost when packets stop arriving while the clock runs', async () => {
  const { way, room } = enter();
  let [packets, isTalking] = [0, true];
  room.enter(() => (isTalking ? ++packets : packets));
  await wait(1_000);
  way.setFlowing(true);
  await wait(10_000);
  expect(way.isHeard()).toBe(true);
  isTalking = false;
  await wait(5_000);
  expect(way.isHeard()).toBe(false);
  way.close();
});

test('a muted microphone stays muted across publishing and device changes, and a removed camera is stopped', async () => {
  const { way, room } = enter();
  room.enter(() => 1);
  const [microphone, other, camera] = [new FakeTrack('audio'), new FakeTrack('audio'), new FakeTrack('video')];
  microphone.enabled = false;
  other.enabled = false;
  way.setTrack('audio', microphone);
  way.setTrack('video', camera);
  way.setFlowing(true);
  await wait(1_000);
  expect(room.heardFirst).toEqual([false, true]);
  const heard = () =>
    room.published.filter(({ source }) => source === 'microphone').map(({ local }) => local.mediaStreamTrack.enabled);
  expect(heard()).toEqual([false]);
  way.setTrack('audio', other);
  await wait(1_000);
  expect(heard()).toEqual([false]);
  other.enabled = true;
  way.setTrack('audio', other);
  await wait(100);
  expect(heard()).toEqual([true]);
  way.setTrack('video', null);
  await wait(1_000);
  expect(sources(room)).toEqual(['microphone']);
  expect(camera.copies.map(({ readyState }) => readyState)).toEqual(['ended']);
  way.close();
  expect([...microphone.copies, ...other.copies].map(({ readyState }) => readyState)).toEqual(['ended', 'ended']);
  expect(other.readyState).toBe('live');
});

test('a disconnected room is rejoined with a fresh token and the tracks are published again', async () => {
  const { way, room } = enter();
  room.enter(() => 1);
  way.setTrack('audio', new FakeTrack('audio'));
  way.setFlowing(true);
  await wait(1_000);
  room.published.length = 0;
  room.tell('disconnected', GONE);
  expect(way.isHeard()).toBe(false);
  await wait(3_000);
  expect(room.doors).toEqual(['wss://sfu.example first', 'wss://sfu.example second']);
  expect(sources(room)).toEqual(['microphone']);
  way.close();
});

test('an unreachable SFU is retried, but not after it removed the participant', async () => {
  FakeRoom.isThere = false;
  const { way, room } = enter();
  await wait(2_000);
  FakeRoom.isThere = true;
  await wait(2_000);
  expect(room.doors).toHaveLength(3);
  room.tell('disconnected', REMOVED);
  await wait(60_000);
  expect(room.doors).toHaveLength(3);
  way.close();
});

test('the other side has one stream whose tracks are replaced and removed', async () => {
  const { way, room, streams } = enter();
  const [first, second] = [new FakeTrack('video'), new FakeTrack('video')];
  room.tell('trackSubscribed', { mediaStreamTrack: first });
  room.tell('trackSubscribed', { mediaStreamTrack: second });
  expect(new Set(streams).size).toBe(1);
  const [stream] = streams;
  if (!(stream instanceof FakeStream)) throw new Error('no stream');
  expect(stream.getTracks()).toEqual([second]);
  room.tell('trackUnsubscribed', { mediaStreamTrack: second });
  expect(stream.getTracks()).toEqual([]);
  way.close();
});

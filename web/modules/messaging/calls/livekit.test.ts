import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRoomConnection, type RoomAccess } from './livekit.ts';
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
    static isReachable = true;
    readonly connectCalls: string[] = [];
    readonly listeners = new Map<string, (payload: never) => void>();
    readonly published: { local: FakeLocalTrack; source: string }[] = [];
    readonly remoteParticipants = new Map<string, { trackPublications: Map<string, object> }>();
    hasLeft = false;
    readonly firstEnabled: boolean[] = [];
    readonly localParticipant = {
      publishTrack: async (local: FakeLocalTrack, { source }: { source: string }) => {
        this.firstEnabled.push(local.mediaStreamTrack.enabled);
        await new Promise((done) => setTimeout(done, 300));
        this.published.push({ local, source });
      },
      unpublishTrack: async (local: FakeLocalTrack) => {
        local.stop();
        this.published.splice(this.published.findIndex((published) => published.local === local) >>> 0, 1);
      },
    };
    constructor() {
      FakeRoom.all.push(this);
    }
    on(event: string, listener: (payload: never) => void) {
      this.listeners.set(event, listener);
    }
    emit(event: string, payload?: unknown) {
      this.listeners.get(event)?.(payload as never);
    }
    async connect(url: string, token: string) {
      this.connectCalls.push(`${url} ${token}`);
      if (!FakeRoom.isReachable) throw new Error('not there');
    }
    async disconnect() {
      this.hasLeft = true;
    }
    addParticipant(packets: () => number) {
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
  FakeRoom.isReachable = true;
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const [SIGNAL_CLOSE, PARTICIPANT_REMOVED] = [9, 4];

function openTestRoom() {
  const tokens = ['second', 'third', 'fourth', 'fifth'];
  const streams: unknown[] = [];
  const connection = openRoomConnection({
    access: { url: 'wss://sfu.example', token: 'first' },
    renew: async (): Promise<RoomAccess | undefined> => {
      const token = tokens.shift();
      return token === undefined ? undefined : { url: 'wss://sfu.example', token };
    },
    onRemote: (stream) => streams.push(stream),
  });
  const [room] = FakeRoom.all;
  if (!room) throw new Error('no room was opened');
  return { connection, room, streams };
}
const sources = ({ published }: { published: { source: string }[] }) => published.map(({ source }) => source).sort();

test('no media is sent before the clock starts or while it is stopped, but the other side is still detected', async () => {
  const { connection, room } = openTestRoom();
  connection.setTrack('audio', new FakeTrack('audio'));
  connection.setTrack('video', new FakeTrack('video'));
  await wait(2_000);
  expect([connection.isAlive(), room.published.length]).toEqual([false, 0]);
  room.addParticipant(() => 0);
  await wait(1_000);
  expect(connection.isAlive()).toBe(true);
  connection.setSending(true);
  await wait(1_000);
  expect(sources(room)).toEqual(['camera', 'microphone']);
  connection.setSending(false);
  await wait(100);
  expect(room.published.map(({ local }) => local.isUpstreamPaused)).toEqual([true, true]);
  connection.setSending(true);
  await wait(100);
  expect(room.published.map(({ local }) => local.isUpstreamPaused)).toEqual([false, false]);
  connection.close();
  expect(room.hasLeft).toBe(true);
});

test('the other side counts as lost when packets stop arriving while the clock runs', async () => {
  const { connection, room } = openTestRoom();
  let [packets, isTalking] = [0, true];
  room.addParticipant(() => (isTalking ? ++packets : packets));
  await wait(1_000);
  connection.setSending(true);
  await wait(10_000);
  expect(connection.isAlive()).toBe(true);
  isTalking = false;
  await wait(5_000);
  expect(connection.isAlive()).toBe(false);
  connection.close();
});

test('a muted microphone stays muted across publishing and device changes, and a removed camera is stopped', async () => {
  const { connection, room } = openTestRoom();
  room.addParticipant(() => 1);
  const [microphone, other, camera] = [new FakeTrack('audio'), new FakeTrack('audio'), new FakeTrack('video')];
  microphone.enabled = false;
  other.enabled = false;
  connection.setTrack('audio', microphone);
  connection.setTrack('video', camera);
  connection.setSending(true);
  await wait(1_000);
  expect(room.firstEnabled).toEqual([false, true]);
  const listEnabled = () =>
    room.published.filter(({ source }) => source === 'microphone').map(({ local }) => local.mediaStreamTrack.enabled);
  expect(listEnabled()).toEqual([false]);
  connection.setTrack('audio', other);
  await wait(1_000);
  expect(listEnabled()).toEqual([false]);
  other.enabled = true;
  connection.setTrack('audio', other);
  await wait(100);
  expect(listEnabled()).toEqual([true]);
  connection.setTrack('video', null);
  await wait(1_000);
  expect(sources(room)).toEqual(['microphone']);
  expect(camera.copies.map(({ readyState }) => readyState)).toEqual(['ended']);
  connection.close();
  expect([...microphone.copies, ...other.copies].map(({ readyState }) => readyState)).toEqual(['ended', 'ended']);
  expect(other.readyState).toBe('live');
});

test('a disconnected room is rejoined with a fresh token and the tracks are published again', async () => {
  const { connection, room } = openTestRoom();
  room.addParticipant(() => 1);
  connection.setTrack('audio', new FakeTrack('audio'));
  connection.setSending(true);
  await wait(1_000);
  room.published.length = 0;
  room.emit('disconnected', SIGNAL_CLOSE);
  expect(connection.isAlive()).toBe(false);
  await wait(3_000);
  expect(room.connectCalls).toEqual(['wss://sfu.example first', 'wss://sfu.example second']);
  expect(sources(room)).toEqual(['microphone']);
  connection.close();
});

test('an unreachable SFU is retried, but not after it removed the participant', async () => {
  FakeRoom.isReachable = false;
  const { connection, room } = openTestRoom();
  await wait(2_000);
  FakeRoom.isReachable = true;
  await wait(2_000);
  expect(room.connectCalls).toHaveLength(3);
  room.emit('disconnected', PARTICIPANT_REMOVED);
  await wait(60_000);
  expect(room.connectCalls).toHaveLength(3);
  connection.close();
});

test('the other side has one stream whose tracks are replaced and removed', async () => {
  const { connection, room, streams } = openTestRoom();
  const [first, second] = [new FakeTrack('video'), new FakeTrack('video')];
  room.emit('trackSubscribed', { mediaStreamTrack: first });
  room.emit('trackSubscribed', { mediaStreamTrack: second });
  expect(new Set(streams).size).toBe(1);
  const [stream] = streams;
  if (!(stream instanceof FakeStream)) throw new Error('no stream');
  expect(stream.getTracks()).toEqual([second]);
  room.emit('trackUnsubscribed', { mediaStreamTrack: second });
  expect(stream.getTracks()).toEqual([]);
  connection.close();
});

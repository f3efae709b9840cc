import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallSignal, MediaConnection } from './media-connection.ts';
import { FakeConnection, FakeNetwork, FakeStream, FakeTrack } from './peer.testing.ts';
import { openPeerConnection, type PeerConfig } from './peer.ts';
import { QUALITY_STEPS } from './quality.ts';

type PeerSide = 'polite' | 'impolite';
const OTHER = { polite: 'impolite', impolite: 'polite' } as const;
type SentSignal = { from: PeerSide; signal: CallSignal };

let network: FakeNetwork;
beforeEach(() => {
  vi.useFakeTimers();
  network = new FakeNetwork();
  FakeConnection.network = network;
  vi.stubGlobal('RTCPeerConnection', FakeConnection);
  vi.stubGlobal('MediaStream', FakeStream);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Two pages and the simulated wire between them, with a delay in milliseconds for each side and optional losses. */
function createTestPages(delays: Record<PeerSide, number>, isLost: (sentSignal: SentSignal) => boolean = () => false) {
  const connections: Partial<Record<PeerSide, MediaConnection>> = {};
  const fresh: PeerConfig = { iceServers: [{ urls: ['turn:fresh.example'] }] };
  const sentSignals: SentSignal[] = [];
  const renewed: PeerSide[] = [];
  const videoStates: boolean[] = [];
  const createSender = (from: PeerSide) => (signal: CallSignal) => {
    const sentSignal = { from, signal };
    sentSignals.push(sentSignal);
    if (!isLost(sentSignal)) setTimeout(() => void connections[OTHER[from]]?.handleSignal(signal), delays[from]);
  };
  const open = (side: PeerSide) => {
    connections[side]?.close();
    const page: { isOpen: boolean } = { isOpen: true };
    const send = createSender(side);
    const connection = openPeerConnection({
      isPolite: side === 'polite',
      config: {},
      renew: () => {
        renewed.push(side);
        return Promise.resolve(fresh);
      },
      send: (signal) => page.isOpen && send(signal),
      onRemote: () => undefined,
      onVideoSending: (isSent) => videoStates.push(isSent),
    });
    connections[side] = {
      ...connection,
      close: () => {
        page.isOpen = false;
        connection.close();
      },
    };
  };
  const close = () => {
    for (const connection of Object.values(connections)) connection.close();
  };
  return { connections, open, close, sentSignals, renewed, videoStates, fresh };
}
type Pages = ReturnType<typeof createTestPages>;
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function expectConnected({ connections }: Pages): void {
  const open = network.listOpen();
  expect(open.map(({ connectionState, signalingState }) => [connectionState, signalingState])).toEqual([
    ['connected', 'stable'],
    ['connected', 'stable'],
  ]);
  expect(open[0]?.matches(open[1] ?? new FakeConnection({})) && open[1]?.matches(open[0])).toBe(true);
  expect(open.flatMap((one) => one.getTransceivers().map(({ direction }) => direction))).toEqual(
    Array(4).fill('sendrecv'),
  );
  expect([connections.polite?.isAlive(), connections.impolite?.isAlive()]).toEqual([true, true]);
  expect(network.errors).toEqual([]);
}

const DELAYS: Record<PeerSide, number>[] = [
  { polite: 0, impolite: 0 },
  { polite: 5, impolite: 5 },
  { polite: 40, impolite: 300 },
  { polite: 300, impolite: 40 },
  { polite: 1_200, impolite: 900 },
];
const SETTLED_MS = (CALL_LIMITS.reconnectSeconds / 2) * 1_000;

const STARTS: [string, (pages: Pages) => Promise<void>][] = [
  [
    'the polite page first',
    async ({ open }) => {
      open('polite');
      await wait(700);
      open('impolite');
    },
  ],
  [
    'the impolite page first',
    async ({ open }) => {
      open('impolite');
      await wait(700);
      open('polite');
    },
  ],
  [
    'both at once',
    async ({ open }) => {
      open('impolite');
      open('polite');
    },
  ],
];
const EVENTS: [string, (pages: Pages) => Promise<void>][] = [
  ['nothing', async () => undefined],
  [
    'glare: both restart at the same moment',
    async ({ connections }) => {
      connections.polite?.restart();
      connections.impolite?.restart();
    },
  ],
  [
    'glare: one restarts while the other’s offer is on its way',
    async ({ connections }) => {
      connections.polite?.restart();
      await wait(20);
      connections.impolite?.restart();
    },
  ],
  ['the polite page is reloaded', async ({ open }) => open('polite')],
  ['the impolite page is reloaded', async ({ open }) => open('impolite')],
  [
    'both are reloaded',
    async ({ open }) => {
      open('polite');
      await wait(30);
      open('impolite');
    },
  ],
  [
    'one is reloaded while the other restarts',
    async ({ connections, open }) => {
      connections.impolite?.restart();
      await wait(7);
      open('polite');
    },
  ],
  [
    'the network is gone for eight seconds',
    async () => {
      network.setUp(false);
      await wait(8_000);
      network.setUp(true);
    },
  ],
];

for (const [startName, begin] of STARTS)
  for (const [event, run] of EVENTS)
    test.each(DELAYS)(`${startName}, then ${event}, with delayed messages: %o`, async (delays) => {
      const testPages = createTestPages(delays);
      await begin(testPages);
      await wait(SETTLED_MS);
      expectConnected(testPages);
      await run(testPages);
      await wait(SETTLED_MS);
      expectConnected(testPages);
      testPages.close();
    });

test.each(['offer', 'answer', 'rollback'])('the connection recovers from a lost %s', async (type) => {
  let lost = 0;
  const testPages = createTestPages({ polite: 30, impolite: 30 }, ({ signal }) => {
    if (signal.description?.type !== type) return false;
    lost += 1;
    return lost === 1;
  });
  testPages.open('impolite');
  testPages.open('polite');
  await wait(3 * SETTLED_MS);
  expect(lost).toBeGreaterThan(1);
  expectConnected(testPages);
  testPages.close();
});

test('a restart keeps the connection and uses fresh credentials and a new ICE generation', async () => {
  const testPages = createTestPages({ polite: 30, impolite: 30 });
  testPages.open('impolite');
  testPages.open('polite');
  await wait(SETTLED_MS);
  const before = network.listOpen();
  const offers = () => testPages.sentSignals.filter(({ signal }) => signal.description?.type === 'offer');
  const first = offers().at(-1)?.signal.description?.sdp;
  testPages.connections.polite?.restart();
  await wait(SETTLED_MS);
  expect(network.listOpen()).toEqual(before);
  expect(testPages.renewed).toEqual(['polite']);
  expect(before.filter(({ config }) => config === testPages.fresh)).toHaveLength(1);
  expect(offers().at(-1)?.signal.description?.sdp).not.toBe(first);
  expectConnected(testPages);
  testPages.close();
});

test('stray answers, candidates of another ICE generation and malformed signals are ignored', async () => {
  const testPages = createTestPages({ polite: 30, impolite: 30 });
  testPages.open('impolite');
  testPages.open('polite');
  await wait(SETTLED_MS);
  const before = network.listOpen();
  for (const connection of Object.values(testPages.connections)) {
    await Promise.all([
      connection.handleSignal({ description: { type: 'answer', sdp: 'a=fingerprint:x\r\n' } }),
      connection.handleSignal({
        candidate: { candidate: 'candidate:9', sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'gone' },
      }),
      connection.handleSignal({}),
      wait(1_000),
    ]);
  }
  expect(network.listOpen()).toEqual(before);
  expectConnected(testPages);
  testPages.close();
});

test('early candidates wait for their description, and candidates of another generation are dropped', async () => {
  const heldOffers: CallSignal[] = [];
  const testPages = createTestPages({ polite: 30, impolite: 30 }, ({ signal }) => {
    if (signal.description?.type !== 'offer' || heldOffers.length > 0) return false;
    heldOffers.push(signal);
    return true;
  });
  testPages.open('impolite');
  testPages.open('polite');
  await wait(200);
  const staleFields = { sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'gone' };
  void testPages.connections.polite?.handleSignal({ candidate: { candidate: 'candidate:9', ...staleFields } });
  void testPages.connections.polite?.handleSignal(heldOffers[0] ?? {});
  await wait(SETTLED_MS);
  const sentCandidates = testPages.sentSignals.flatMap(({ from, signal: { candidate } }) =>
    from === 'impolite' && candidate ? [candidate.candidate] : [],
  );
  expect(sentCandidates).toHaveLength(2);
  expect(network.listOpen().map(({ candidates }) => candidates)).toContainEqual(sentCandidates);
  expectConnected(testPages);
  testPages.close();
});

test('a greeting starts over unless an offer is pending, and a connected page sends no more greetings', async () => {
  const testPages = createTestPages({ polite: 30, impolite: 30 });
  const greet = async () => {
    void testPages.connections.impolite?.handleSignal({ description: { type: 'rollback', sdp: '' } });
    await wait(1_500);
    return network.listOpen().at(-1);
  };
  testPages.open('impolite');
  const first = await greet();
  expect(first?.signalingState).toBe('have-local-offer');
  expect(await greet()).toBe(first);
  const second = await greet();
  expect(second).not.toBe(first);
  testPages.open('polite');
  await wait(SETTLED_MS);
  expectConnected(testPages);
  const sentCount = testPages.sentSignals.length;
  await wait(60_000);
  expect(testPages.sentSignals).toHaveLength(sentCount);
  await greet();
  await wait(SETTLED_MS);
  expect(network.listOpen()).not.toContain(second);
  expectConnected(testPages);
  testPages.close();
});

test('high packet loss lowers the picture step by step to audio only, and the quality recovers later', async () => {
  const testPages = createTestPages({ polite: 30, impolite: 30 });
  testPages.open('polite');
  testPages.open('impolite');
  await wait(SETTLED_MS);
  const [pc] = network.listOpen();
  const [sound, picture] = [new FakeTrack('audio'), new FakeTrack('video')];
  for (const connection of Object.values(testPages.connections)) {
    connection.setTrack('audio', sound);
    connection.setTrack('video', picture);
    connection.setSending(true);
  }
  const sent = () => pc?.getTransceivers().map(({ sender }) => sender.track);
  const step = () => pc?.getTransceivers()[1]?.sender.encodings[0];
  await wait(1_000);
  expect([sent(), step()]).toEqual([[sound, picture], {}]);
  pc?.stats.set('lossy', { type: 'remote-inbound-rtp', fractionLost: 0.3 });
  for (const expected of QUALITY_STEPS.slice(1)) {
    await wait(2_000);
    expect([sent(), step()]).toEqual([[sound, picture], expected]);
  }
  await wait(2_000);
  expect([sent(), testPages.videoStates.at(-1)]).toEqual([[sound, null], false]);
  pc?.stats.clear();
  await wait(QUALITY_STEPS.length * 8_000);
  expect([sent(), step(), testPages.videoStates.at(-1)]).toEqual([[sound, picture], QUALITY_STEPS[0], true]);
  testPages.close();
});

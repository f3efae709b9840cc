import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeConnection, FakeNetwork, FakeStream, FakeTrack } from './peer.testing.ts';
import { openPeer, type PeerConfig } from './peer.ts';
import { STEPS } from './quality.ts';
import type { CallSignal, Way } from './way.ts';

type Side = 'polite' | 'impolite';
const OTHER = { polite: 'impolite', impolite: 'polite' } as const;
type Letter = { from: Side; signal: CallSignal };

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
function pages(late: Record<Side, number>, loses: (letter: Letter) => boolean = () => false) {
  const ways: Partial<Record<Side, Way>> = {};
  const fresh: PeerConfig = { iceServers: [{ urls: ['turn:fresh.example'] }] };
  const letters: Letter[] = [];
  const renewed: Side[] = [];
  const pictures: boolean[] = [];
  const post = (from: Side) => (signal: CallSignal) => {
    const letter = { from, signal };
    letters.push(letter);
    if (!loses(letter)) setTimeout(() => void ways[OTHER[from]]?.hear(signal), late[from]);
  };
  const open = (side: Side) => {
    ways[side]?.close();
    const page: { isOpen: boolean } = { isOpen: true };
    const send = post(side);
    const way = openPeer({
      isPolite: side === 'polite',
      config: {},
      renew: () => {
        renewed.push(side);
        return Promise.resolve(fresh);
      },
      send: (signal) => page.isOpen && send(signal),
      onRemote: () => undefined,
      onPicture: (isSent) => pictures.push(isSent),
    });
    ways[side] = {
      ...way,
      close: () => {
        page.isOpen = false;
        way.close();
      },
    };
  };
  const close = () => {
    for (const way of Object.values(ways)) way.close();
  };
  return { ways, open, close, letters, renewed, pictures, fresh };
}
type Pages = ReturnType<typeof pages>;
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function expectTalk({ ways }: Pages): void {
  const open = network.open();
  expect(open.map(({ connectionState, signalingState }) => [connectionState, signalingState])).toEqual([
    ['connected', 'stable'],
    ['connected', 'stable'],
  ]);
  expect(open[0]?.fits(open[1] ?? new FakeConnection({})) && open[1]?.fits(open[0])).toBe(true);
  expect(open.flatMap((one) => one.getTransceivers().map(({ direction }) => direction))).toEqual(
    Array(4).fill('sendrecv'),
  );
  expect([ways.polite?.isHeard(), ways.impolite?.isHeard()]).toEqual([true, true]);
  expect(network.faults).toEqual([]);
}

const LATE: Record<Side, number>[] = [
  { polite: 0, impolite: 0 },
  { polite: 5, impolite: 5 },
  { polite: 40, impolite: 300 },
  { polite: 300, impolite: 40 },
  { polite: 1_200, impolite: 900 },
];
const SETTLED_MS = (CALL.gapSeconds / 2) * 1_000;

const BEGINNINGS: [string, (pages: Pages) => Promise<void>][] = [
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
    async ({ ways }) => {
      ways.polite?.restart();
      ways.impolite?.restart();
    },
  ],
  [
    'glare: one restarts while the other’s offer is on its way',
    async ({ ways }) => {
      ways.polite?.restart();
      await wait(20);
      ways.impolite?.restart();
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
    async ({ ways, open }) => {
      ways.impolite?.restart();
      await wait(7);
      open('polite');
    },
  ],
  [
    'the network is gone for eight seconds',
    async () => {
      network.set(false);
      await wait(8_000);
      network.set(true);
    },
  ],
];

for (const [beginning, begin] of BEGINNINGS)
  for (const [event, happen] of EVENTS)
    test.each(LATE)(`${beginning}, then ${event}, with delayed messages: %o`, async (late) => {
      const both = pages(late);
      await begin(both);
      await wait(SETTLED_MS);
      expectTalk(both);
      await happen(both);
      await wait(SETTLED_MS);
      expectTalk(both);
      both.close();
    });

test.each(['offer', 'answer', 'rollback'])('the connection recovers from a lost %s', async (type) => {
  let lost = 0;
  const both = pages({ polite: 30, impolite: 30 }, ({ signal }) => {
    if (signal.description?.type !== type) return false;
    lost += 1;
    return lost === 1;
  });
  both.open('impolite');
  both.open('polite');
  await wait(3 * SETTLED_MS);
  expect(lost).toBeGreaterThan(1);
  expectTalk(both);
  both.close();
});

test('a restart keeps the connection and uses fresh credentials and a new ICE generation', async () => {
  const both = pages({ polite: 30, impolite: 30 });
  both.open('impolite');
  both.open('polite');
  await wait(SETTLED_MS);
  const before = network.open();
  const offers = () => both.letters.filter(({ signal }) => signal.description?.type === 'offer');
  const first = offers().at(-1)?.signal.description?.sdp;
  both.ways.polite?.restart();
  await wait(SETTLED_MS);
  expect(network.open()).toEqual(before);
  expect(both.renewed).toEqual(['polite']);
  expect(before.filter(({ config }) => config === both.fresh)).toHaveLength(1);
  expect(offers().at(-1)?.signal.description?.sdp).not.toBe(first);
  expectTalk(both);
  both.close();
});

test('stray answers, candidates of another ICE generation and malformed signals are ignored', async () => {
  const both = pages({ polite: 30, impolite: 30 });
  both.open('impolite');
  both.open('polite');
  await wait(SETTLED_MS);
  const before = network.open();
  for (const way of Object.values(both.ways)) {
    await Promise.all([
      way.hear({ description: { type: 'answer', sdp: 'a=fingerprint:x\r\n' } }),
      way.hear({ candidate: { candidate: 'candidate:9', sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'gone' } }),
      way.hear({}),
      wait(1_000),
    ]);
  }
  expect(network.open()).toEqual(before);
  expectTalk(both);
  both.close();
});

test('early candidates wait for their description, and candidates of another generation are dropped', async () => {
  const held: CallSignal[] = [];
  const both = pages({ polite: 30, impolite: 30 }, ({ signal }) => {
    if (signal.description?.type !== 'offer' || held.length > 0) return false;
    held.push(signal);
    return true;
  });
  both.open('impolite');
  both.open('polite');
  await wait(200);
  const gone = { sdpMid: '0', sdpMLineIndex: 0, usernameFragment: 'gone' };
  void both.ways.polite?.hear({ candidate: { candidate: 'candidate:9', ...gone } });
  void both.ways.polite?.hear(held[0] ?? {});
  await wait(SETTLED_MS);
  const told = both.letters.flatMap(({ from, signal: { candidate } }) =>
    from === 'impolite' && candidate ? [candidate.candidate] : [],
  );
  expect(told).toHaveLength(2);
  expect(network.open().map(({ candidates }) => candidates)).toContainEqual(told);
  expectTalk(both);
  both.close();
});

test('a greeting starts over unless an offer is pending, and a connected page sends no more greetings', async () => {
  const both = pages({ polite: 30, impolite: 30 });
  const greet = async () => {
    void both.ways.impolite?.hear({ description: { type: 'rollback', sdp: '' } });
    await wait(1_500);
    return network.open().at(-1);
  };
  both.open('impolite');
  const first = await greet();
  expect(first?.signalingState).toBe('have-local-offer');
  expect(await greet()).toBe(first);
  const second = await greet();
  expect(second).not.toBe(first);
  both.open('polite');
  await wait(SETTLED_MS);
  expectTalk(both);
  const said = both.letters.length;
  await wait(60_000);
  expect(both.letters).toHaveLength(said);
  await greet();
  await wait(SETTLED_MS);
  expect(network.open()).not.toContain(second);
  expectTalk(both);
  both.close();
});

test('high packet loss lowers the picture step by step to audio only, and the quality recovers later', async () => {
  const both = pages({ polite: 30, impolite: 30 });
  both.open('polite');
  both.open('impolite');
  await wait(SETTLED_MS);
  const [pc] = network.open();
  const [sound, picture] = [new FakeTrack('audio'), new FakeTrack('video')];
  for (const way of Object.values(both.ways)) {
    way.setTrack('audio', sound);
    way.setTrack('video', picture);
    way.setFlowing(true);
  }
  const sent = () => pc?.getTransceivers().map(({ sender }) => sender.track);
  const step = () => pc?.getTransceivers()[1]?.sender.encodings[0];
  await wait(1_000);
  expect([sent(), step()]).toEqual([[sound, picture], {}]);
  pc?.stats.set('lossy', { type: 'remote-inbound-rtp', fractionLost: 0.3 });
  for (const expected of STEPS.slice(1)) {
    await wait(2_000);
    expect([sent(), step()]).toEqual([[sound, picture], expected]);
  }
  await wait(2_000);
  expect([sent(), both.pictures.at(-1)]).toEqual([[sound, null], false]);
  pc?.stats.clear();
  await wait(STEPS.length * 8_000);
  expect([sent(), step(), both.pictures.at(-1)]).toEqual([[sound, picture], STEPS[0], true]);
  both.close();
});

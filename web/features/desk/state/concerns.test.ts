import type { LiveState } from '@stagedoor/contract/state-desk.ts';
import { expect, test } from 'vitest';
import { concerns, glance } from './queries.ts';

const QUIET = { waiting: 3, running: 1, trying: 0, failed: 0 };
const WELL: LiveState = {
  at: '2026-11-23T12:00:00.000Z',
  parts: [
    { name: 'database', is: 'up' },
    { name: 'redis', is: 'off' },
  ],
  jobs: { isMore: false, kinds: [], failures: [] },
  mail: { ...QUIET, way: 'smtp' },
  payments: {
    ...{ isSandbox: false, webhooks: 4, quarantined: 0, deposits: 4, deposited: 90 },
    ...{ lastWebhookAt: null, lastAnswerAt: null },
  },
  media: { ...QUIET, store: 'local', diskFreeBytes: 50, diskBytes: 100 },
  calls: { open: 1, running: 1, provider: 'webrtc', hasRelay: true, isRelayOnly: true },
  faults: [],
  nodes: [],
};
const kind = { task: 'x', due: 1, later: 0, running: 0, trying: 0, failed: 0, oldestAt: null };

test('reports no problem for a healthy system', () => {
  expect(concerns(WELL)).toEqual([]);
  expect(concerns({ ...WELL, jobs: null, nodes: null })).toEqual([]);
});

test.each<[string, Partial<LiveState>]>([
  ['Redis is down.', { parts: [{ name: 'redis', is: 'down' }] }],
  [
    'Jobs have been waiting over 5 minutes. Check the workers.',
    { jobs: { isMore: false, failures: [], kinds: [{ ...kind, oldestAt: '2026-11-23T11:54:00.000Z' }] } },
  ],
  ['2 jobs failed.', { jobs: { isMore: false, failures: [], kinds: [{ ...kind, failed: 2 }] } }],
  ['Email can’t be sent: SMTP_URL isn’t set.', { mail: { ...QUIET, way: 'none' } }],
  ['1 email not sent yet.', { mail: { ...QUIET, trying: 1, way: 'smtp' } }],
  ['1 payment event to review.', { payments: { ...WELL.payments, quarantined: 1 } }],
  ['1 upload failed to process.', { media: { ...WELL.media, failed: 1 } }],
  ['Less than 10% of the disk is free.', { media: { ...WELL.media, diskFreeBytes: 9 } }],
  ['Calls may fail to connect: TURN_URLS isn’t set.', { calls: { ...WELL.calls, hasRelay: false } }],
])('reports "%s"', (words, change) => expect(concerns({ ...WELL, ...change })).toEqual([words]));

const ofGlance = (change: Partial<LiveState> = {}) =>
  Object.fromEntries(glance({ ...WELL, ...change }).map(({ name, words, isWell }) => [name, [words, isWell]]));

test('the summary describes every healthy part', () => {
  expect(ofGlance()).toEqual({
    Jobs: ['None waiting', true],
    Payments: ['4 deposits this hour', true],
    Email: ['3 waiting', true],
    Media: ['3 waiting', true],
    Calls: ['1 ongoing', true],
  });
  expect(ofGlance({ jobs: null })).not.toHaveProperty('Jobs');
});

test.each<[string, Partial<LiveState>, string]>([
  ['Jobs', { jobs: { isMore: false, failures: [], kinds: [{ ...kind, failed: 2 }] } }, '2 failed'],
  [
    'Jobs',
    { jobs: { isMore: false, failures: [], kinds: [{ ...kind, oldestAt: '2026-11-23T11:54:00.000Z' }] } },
    'Waiting too long',
  ],
  ['Payments', { payments: { ...WELL.payments, quarantined: 2 } }, '2 to review'],
  ['Email', { mail: { ...QUIET, way: 'none' } }, 'Not set up'],
  ['Email', { mail: { ...QUIET, way: 'smtp', trying: 1, failed: 1 } }, '2 not sent'],
  ['Media', { media: { ...WELL.media, failed: 1 } }, '1 failed to process'],
])('the summary flags %s as a problem', (part, change, words) =>
  expect(ofGlance(change)[part]).toEqual([words, false]),
);

import type { SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { expect, test } from 'vitest';
import { listProblems, summarizeStatus } from './queries.ts';

const IDLE_QUEUE = { waiting: 3, running: 1, retrying: 0, failed: 0 };
const HEALTHY: SystemStatus = {
  at: '2026-11-23T12:00:00.000Z',
  services: [
    { name: 'database', status: 'up' },
    { name: 'redis', status: 'off' },
  ],
  jobs: { isMore: false, kinds: [], failures: [] },
  mail: { ...IDLE_QUEUE, transport: 'smtp' },
  payments: {
    ...{ isSandbox: false, webhooks: 4, quarantined: 0, deposits: 4, deposited: 90 },
    ...{ lastWebhookAt: null, lastResponseAt: null },
  },
  media: { ...IDLE_QUEUE, store: 'local', diskFreeBytes: 50, diskBytes: 100 },
  calls: { open: 1, running: 1, provider: 'webrtc', hasRelay: true, isRelayOnly: true },
  errorStats: [],
  processes: [],
};
const kind = { task: 'x', due: 1, scheduled: 0, running: 0, retrying: 0, failed: 0, oldestAt: null };

test('reports no problem for a healthy system', () => {
  expect(listProblems(HEALTHY)).toEqual([]);
  expect(listProblems({ ...HEALTHY, jobs: null, processes: null })).toEqual([]);
  const process = { id: 'p', isCurrent: true, role: 'web', version: '1', startedAt: HEALTHY.at, memoryBytes: 1 };
  const listClockProblems = (clockOffsetMs: number | null) =>
    listProblems({ ...HEALTHY, processes: [{ ...process, clockOffsetMs }] });
  expect([listClockProblems(null), listClockProblems(-2_000)]).toEqual([[], []]);
  expect([listClockProblems(-2_600), listClockProblems(3_600_000)]).toEqual([
    ['The clock of a process is 2.6 s slow. Set it with NTP.'],
    ['The clock of a process is 3,600 s fast. Set it with NTP.'],
  ]);
});

test.each<[string, Partial<SystemStatus>]>([
  ['Redis is down.', { services: [{ name: 'redis', status: 'down' }] }],
  [
    'Jobs have been waiting over 5 minutes. Check the workers.',
    { jobs: { isMore: false, failures: [], kinds: [{ ...kind, oldestAt: '2026-11-23T11:54:00.000Z' }] } },
  ],
  ['2 jobs failed.', { jobs: { isMore: false, failures: [], kinds: [{ ...kind, failed: 2 }] } }],
  ['Email can’t be sent: SMTP_URL isn’t set.', { mail: { ...IDLE_QUEUE, transport: 'none' } }],
  ['1 email not sent yet.', { mail: { ...IDLE_QUEUE, retrying: 1, transport: 'smtp' } }],
  ['1 payment event to review.', { payments: { ...HEALTHY.payments, quarantined: 1 } }],
  ['1 upload failed to process.', { media: { ...HEALTHY.media, failed: 1 } }],
  ['Less than 10% of the disk is free.', { media: { ...HEALTHY.media, diskFreeBytes: 9 } }],
  ['Calls may fail to connect: TURN_URLS isn’t set.', { calls: { ...HEALTHY.calls, hasRelay: false } }],
])('reports "%s"', (text, change) => expect(listProblems({ ...HEALTHY, ...change })).toEqual([text]));

const summarize = (change: Partial<SystemStatus> = {}) =>
  Object.fromEntries(
    summarizeStatus({ ...HEALTHY, ...change }).map(({ name, text, isHealthy }) => [name, [text, isHealthy]]),
  );

test('the summary describes every healthy part', () => {
  expect(summarize()).toEqual({
    Jobs: ['None waiting', true],
    Payments: ['4 deposits this hour', true],
    Email: ['3 waiting', true],
    Media: ['3 waiting', true],
    Calls: ['1 ongoing', true],
  });
  expect(summarize({ jobs: null })).not.toHaveProperty('Jobs');
});

test.each<[string, Partial<SystemStatus>, string]>([
  ['Jobs', { jobs: { isMore: false, failures: [], kinds: [{ ...kind, failed: 2 }] } }, '2 failed'],
  [
    'Jobs',
    { jobs: { isMore: false, failures: [], kinds: [{ ...kind, oldestAt: '2026-11-23T11:54:00.000Z' }] } },
    'Waiting too long',
  ],
  ['Payments', { payments: { ...HEALTHY.payments, quarantined: 2 } }, '2 to review'],
  ['Email', { mail: { ...IDLE_QUEUE, transport: 'none' } }, 'Not set up'],
  ['Email', { mail: { ...IDLE_QUEUE, transport: 'smtp', retrying: 1, failed: 1 } }, '2 not sent'],
  ['Media', { media: { ...HEALTHY.media, failed: 1 } }, '1 failed to process'],
])('the summary flags %s as a problem', (part, change, text) => expect(summarize(change)[part]).toEqual([text, false]));

import { missedEvents } from '@stagedoor/contract/shared/missed-events.ts';
import { expect, test, vi } from 'vitest';
import { createTestClock } from '../clock.ts';
import { createMissedEvents } from './missed-events.ts';

const START = new Date('2026-03-01T12:00:00Z');

function create(slackMs = 0) {
  const clock = createTestClock(START);
  const missed = createMissedEvents(clock, slackMs);
  const getNow = () => clock.now().getTime();
  const hasMissed = (room: string, since: number) => missed.hasMissed([room], since);
  return { clock, missed, getNow, hasMissed };
}

function createSocket(auth: object, issuedAgoMs = 0) {
  const emit = vi.fn();
  const handshake = { auth, issued: Date.now() - issuedAgoMs };
  return { emit, handshake } as unknown as Parameters<ReturnType<typeof createMissedEvents>['emitIfMissed']>[0] & {
    emit: typeof emit;
  };
}

test('only events to the own rooms at or after the time of reading count as missed', () => {
  const { clock, missed, getNow, hasMissed } = create();
  clock.advance(1_000);
  missed.note('user:1');
  const at = getNow();
  expect(hasMissed('user:1', at)).toBe(true);
  expect(hasMissed('user:1', at + 1)).toBe(false);
  expect(hasMissed('user:2', at)).toBe(false);
});

test('what happened more than a minute ago, before the start or around a gap is unknown and counts as missed', () => {
  const { clock, missed, getNow, hasMissed } = create();
  const start = getNow();
  expect(hasMissed('user:1', start - 1)).toBe(true);
  clock.advance(60_000);
  expect(hasMissed('user:1', start)).toBe(false);
  clock.advance(1);
  expect(hasMissed('user:1', start)).toBe(true);
  missed.noteGap();
  expect(hasMissed('user:1', getNow())).toBe(true);
  clock.advance(1);
  expect(hasMissed('user:1', getNow())).toBe(false);
});

test('with several processes the difference of their clocks is allowed for', () => {
  const { clock, missed, getNow, hasMissed } = create(4_000);
  clock.advance(10_000);
  missed.note('user:1');
  const at = getNow();
  clock.advance(5_000);
  expect(hasMissed('user:1', at + 4_000)).toBe(true);
  expect(hasMissed('user:1', at + 4_001)).toBe(false);
});

test('beyond 50,000 rooms the forgotten events count as missed for every room', () => {
  const { clock, missed, getNow, hasMissed } = create();
  const start = getNow();
  missed.note('first');
  clock.advance(1);
  for (let room = 0; room < 50_000; room += 1) missed.note(`room:${room}`);
  expect(hasMissed('other', start)).toBe(true);
  expect(hasMissed('other', start + 1)).toBe(false);
});

test('a socket is notified if it read its page before an event, and a client that sends no time never is', () => {
  const { clock, missed, getNow } = create();
  const readAt = getNow();
  clock.advance(20_000);
  missed.note('user:1');
  clock.advance(6_000);
  const [outdated, current, foreign, later] = [
    createSocket({ readAt }),
    createSocket({ readAt: getNow() }),
    createSocket({}),
    createSocket({ readAt }, 10_000),
  ];
  for (const socket of [outdated, current, foreign, later]) missed.emitIfMissed(socket, ['user:1']);
  expect(outdated.emit).toHaveBeenCalledExactlyOnceWith(missedEvents.name, {});
  for (const { emit } of [current, foreign, later]) expect(emit).not.toHaveBeenCalled();
  clock.advance(1);
  missed.emitIfMissed(outdated, ['presence:3']);
  expect(outdated.emit).toHaveBeenCalledOnce();
  missed.note('presence:2');
  clock.advance(5_000);
  missed.emitIfMissed(later, ['presence:2']);
  expect(later.emit).toHaveBeenCalledOnce();
});

import { randomUUID } from 'node:crypto';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Actor } from '../../../platform/security/session.ts';
import { canOpenFiles, getChatSide, getOtherUserId, isHiddenByBlock, toRefusalError } from './access.ts';

const NOW = new Date('2026-03-04T12:00:00Z');
const addSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

describe('the side of a user in a chat', () => {
  it('is that of their account, and operators have none', () => {
    const getSide = (type: Actor['type']) =>
      getChatSide({
        userId: z.parse(userId, randomUUID()),
        sessionId: z.parse(sessionId, randomUUID()),
        ...{ type, username: 'anna' },
        ...{ isBlocked: false, hasSecondFactor: false, loggedInAt: NOW },
      });
    expect([getSide('creator'), getSide('customer')]).toEqual(['creator', 'fan']);
    expect(() => getSide('operator')).toThrow(new AppError('FORBIDDEN'));
  });

  it('decides who the other user is', () => {
    const row = { creator_id: 'creator', fan_id: 'fan' };
    expect([getOtherUserId('creator', row), getOtherUserId('fan', row)]).toEqual(['fan', 'creator']);
  });
});

describe('the files of a message', () => {
  const sent = {
    ...{ is_from_creator: true, fan_right: 'purchase' as const, is_view_once: false },
    ...{ viewed_at: null, viewable_until: null, removed_at: null },
  };
  const canFan = (more: object) => canOpenFiles({ ...sent, ...more }, 'fan', NOW);

  it('are open to a fan with a right to them', () => {
    expect(canFan({})).toBe(true);
    expect(canFan({ fan_right: null })).toBe(false);
  });

  it('are open to their sender, whatever the fan may do', () => {
    const locked = { ...sent, fan_right: null, is_view_once: true };
    expect(canOpenFiles(locked, 'creator', NOW)).toBe(true);
    expect(canOpenFiles({ ...locked, is_from_creator: false }, 'fan', NOW)).toBe(true);
    expect(canOpenFiles({ ...locked, is_from_creator: false }, 'creator', NOW)).toBe(false);
  });

  it('are closed to both once they are removed', () => {
    const removed = { ...sent, removed_at: NOW };
    expect([canOpenFiles(removed, 'creator', NOW), canOpenFiles(removed, 'fan', NOW)]).toEqual([false, false]);
  });

  it('that can be viewed once are open from opening until they expire', () => {
    const once = { is_view_once: true, viewed_at: NOW, viewable_until: addSeconds(1) };
    expect(canFan(once)).toBe(true);
    expect(canFan({ ...once, viewable_until: NOW })).toBe(false);
    expect(canFan({ ...once, viewable_until: null })).toBe(false);
    expect(canFan({ ...once, viewed_at: null })).toBe(false);
    expect(canFan({ ...once, fan_right: null })).toBe(false);
  });
});

describe('a block before the first message', () => {
  const none = { last_seq: 0, is_blocked_by_creator: false, is_blocked_by_fan: false };
  const isHidden = (more: object) => [
    isHiddenByBlock({ ...none, ...more }, 'creator'),
    isHiddenByBlock({ ...none, ...more }, 'fan'),
  ];

  it('hides the conversation from the side that is blocked', () => {
    expect(isHidden({})).toEqual([false, false]);
    expect(isHidden({ is_blocked_by_creator: true })).toEqual([false, true]);
    expect(isHidden({ is_blocked_by_fan: true })).toEqual([true, false]);
  });

  it('hides nothing from a side that blocked the other as well', () => {
    expect(isHidden({ is_blocked_by_creator: true, is_blocked_by_fan: true })).toEqual([false, false]);
  });

  it('hides nothing once a message was sent', () => {
    expect(isHidden({ is_blocked_by_creator: true, last_seq: 1 })).toEqual([false, false]);
    expect(isHidden({ is_blocked_by_fan: true, last_seq: 1 })).toEqual([false, false]);
  });
});

describe('a message that may not be sent', () => {
  it('does not reveal a receiver who is hidden', () => {
    expect(toRefusalError('none')).toMatchObject({ code: 'NOT_FOUND', data: {} });
  });

  it.each([
    ['conflict', 'CONFLICT'],
    ['gone', 'FORBIDDEN'],
    ['blocked', 'FORBIDDEN'],
    ['waiting', 'FORBIDDEN'],
    ['followers', 'FORBIDDEN'],
    ['subscribers', 'FORBIDDEN'],
    ['request', 'FORBIDDEN'],
    ['requests', 'RATE_LIMITED'],
    ['unknown', 'FORBIDDEN'],
  ])('is refused for the reason %s with %s', (reason, code) => {
    expect(toRefusalError(reason)).toMatchObject({ code });
  });

  it('is refused with a message for its reason', () => {
    const reasons = ['conflict', 'gone', 'blocked', 'waiting', 'followers', 'subscribers', 'request', 'requests'];
    const messages = reasons.map((reason) => toRefusalError(reason).data.message);
    expect(new Set(messages).size).toBe(reasons.length);
    expect(messages).not.toContain(undefined);
    expect(messages).not.toContain(toRefusalError('unknown').data.message);
    expect(messages.at(-1)).toMatch(/\d+ new creators/);
  });
});

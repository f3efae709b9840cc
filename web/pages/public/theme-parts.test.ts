import { userId } from '@stagedoor/contract/atoms/ids.ts';
import type { Category, CreatorCard } from '@stagedoor/contract/profiles.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { guestsOf } from './theme-parts.ts';

const person = (number: number, category: Category): CreatorCard => ({
  ...{ id: z.parse(userId, `01890000-0000-7000-8000-00000000000${number}`), username: category, name: category },
  ...{ avatarUrl: null, cover: null, coverFocus: { x: 50, y: 50 }, craft: '', city: '', category, isVerified: true },
  ...{ status: 'offline', callRate: null, isFollowed: false, followerCount: 0, postCount: 0 },
});
const [film, music, dance] = [person(1, 'Film'), person(2, 'Music'), person(3, 'Dance')];
const named = (people: readonly CreatorCard[], crafts: readonly (Category | undefined)[]) =>
  guestsOf(people, crafts).map(({ username }) => username);

test('themes show a creator of their craft regardless of rank, and the other themes the remaining creators in order', () => {
  expect(named([film, music, dance], ['Music', 'Ceramics', 'Film'])).toEqual(['Music', 'Dance', 'Film']);
  expect(named([film, music], ['Music', undefined, 'Kitchen', 'Strength'])).toEqual(['Music', 'Film', 'Film', 'Music']);
  expect(named([], ['Music'])).toEqual([]);
});

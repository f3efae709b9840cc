import type { Category, CreatorCard } from '@stagedoor/contract/content/profiles.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { pickCreators } from './theme-preview.ts';

const createCreator = (number: number, category: Category): CreatorCard => ({
  ...{ id: z.parse(userId, `01890000-0000-7000-8000-00000000000${number}`), username: category, name: category },
  ...{ avatarUrl: null, cover: null, coverFocus: { x: 50, y: 50 }, craft: '', city: '', category, isVerified: true },
  ...{
    status: 'offline',
    callRate: null,
    subscriptionPrice: null,
    hasTrial: false,
    isFollowed: false,
    followerCount: 0,
    postCount: 0,
  },
});
const [film, music, dance] = [createCreator(1, 'Film'), createCreator(2, 'Music'), createCreator(3, 'Dance')];
const pickNames = (creators: readonly CreatorCard[], crafts: readonly (Category | undefined)[]) =>
  pickCreators(creators, crafts).map(({ username }) => username);

test('themes show a creator of their craft regardless of rank, and the other themes the remaining creators in order', () => {
  expect(pickNames([film, music, dance], ['Music', 'Ceramics', 'Film'])).toEqual(['Music', 'Dance', 'Film']);
  expect(pickNames([film, music], ['Music', undefined, 'Kitchen', 'Strength'])).toEqual([
    'Music',
    'Film',
    'Film',
    'Music',
  ]);
  expect(pickNames([], ['Music'])).toEqual([]);
});

import { expect, test } from 'vitest';
import { applyFollow } from './follow-cache.ts';

const anna = { id: 'anna', isFollowed: false, followerCount: 4 };
const ben = { id: 'ben', isFollowed: true, followerCount: 9 };

test('a profile counts one follower more after a follow and one less after an unfollow', () => {
  const profile = { ...anna, totalFollowersCount: 4, bio: 'Clay' };
  const after = { ...profile, isFollowed: true, followerCount: 5, totalFollowersCount: 5 };
  expect(applyFollow(profile, 'anna', true)).toEqual(after);
  expect(applyFollow(after, 'anna', true), 'twice is once').toEqual(after);
  expect(applyFollow(after, 'anna', false)).toEqual(profile);
});

test("lists change only that creator, and the server's count wins", () => {
  const lists = { pages: [{ data: [ben] }, { data: [anna] }], pageParams: [] };
  expect(applyFollow(lists, 'anna', true, 17)).toEqual({
    pages: [{ data: [ben] }, { data: [{ ...anna, isFollowed: true, followerCount: 17 }] }],
    pageParams: [],
  });
  expect(applyFollow({ data: [ben, anna] }, 'ben', false)).toEqual({
    data: [{ ...ben, isFollowed: false, followerCount: 8 }, anna],
  });
});

import { getFeed } from '@stagedoor/contract/content/feed.ts';
import { EMPTY_POST_DETAILS } from '@stagedoor/contract/content/post-details.ts';
import { getPost, listCreatorPosts, type Post, post as postSchema } from '@stagedoor/contract/content/posts.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiInfiniteQuery, apiQuery } from '../../../platform/query.ts';
import { updateCachedPost } from './cache.ts';

const AUTHOR = '01a1fc83-76c0-7000-89ba-b8198b46b501';
const id = (last: number) => `01a1fc83-76c0-7000-89ba-b8198b46b60${last}`;
const createPost = (last: number): Post =>
  z.parse(postSchema, {
    id: id(last),
    postUri: [`/post/${id(last)}`],
    createdAt: '2026-11-20T10:00:00.000Z',
    type: 'picture',
    title: '',
    caption: '',
    price: 5,
    filesRevision: 1,
    isUnlocked: false,
    isPurchased: false,
    isSubscribed: false,
    paid: null,
    isLiked: false,
    likeCount: 0,
    mediaCount: 0,
    author: { id: AUTHOR, username: 'ines', name: 'Inês', avatarUrl: null, craft: '', city: '', isVerified: true },
    media: [],
    ...EMPTY_POST_DETAILS,
    subscription: null,
    people: [],
    isPinned: false,
  });

test("changes a post in the feed, on the creator's profile and on its own page", () => {
  const client = new QueryClient();
  const one = apiQuery(getPost, { params: { id: id(1) } }).queryKey;
  const other = apiQuery(getPost, { params: { id: id(2) } }).queryKey;
  const pages = apiInfiniteQuery(getFeed, { query: { type: 'all' } }).queryKey;
  const profilePosts = apiQuery(listCreatorPosts, { params: { creatorId: AUTHOR }, query: { limit: 4 } }).queryKey;
  client.setQueryData(one, createPost(1));
  client.setQueryData(other, createPost(2));
  client.setQueryData(pages, { pages: [{ data: [createPost(1), createPost(2)], limit: 10 }], pageParams: [''] });
  client.setQueryData(profilePosts, { data: [createPost(1)], limit: 4, totalCount: 1 });

  updateCachedPost(client, id(1), (cached) => ({ ...cached, isLiked: true, likeCount: 1 }));

  const liked = { ...createPost(1), isLiked: true, likeCount: 1 };
  expect(client.getQueryData(one)).toEqual(liked);
  expect(client.getQueryData(other)).toEqual(createPost(2));
  expect(client.getQueryData(pages)).toEqual({
    pages: [{ data: [liked, createPost(2)], limit: 10 }],
    pageParams: [''],
  });
  expect(client.getQueryData(profilePosts)).toEqual({ data: [liked], limit: 4, totalCount: 1 });
});

test('does not create cache entries for a post that is not cached', () => {
  const client = new QueryClient();
  updateCachedPost(client, id(1), (cached) => ({ ...cached, isLiked: true }));
  expect(client.getQueryCache().getAll()).toEqual([]);
});

import { type Draft, draft as draftView } from '@stagedoor/contract/content/drafts.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import type { TestApp, TestUser } from '../../../testing/app.ts';

export async function createDraftAs(creator: TestUser, body: object): Promise<Draft> {
  const response = await creator.inject('POST', '/api/creator/drafts', body);
  expect(response.statusCode, response.body).toBe(200);
  return z.parse(draftView, response.json());
}

export async function listPublishedPosts(creator: TestUser): Promise<Post[]> {
  const { data } = (await creator.inject('GET', '/api/creator/posts?limit=50')).json();
  return data.map(({ post }: { post: Post }) => post);
}

export async function listPublishJobs(app: TestApp, draftId: string): Promise<{ run_at: Date }[]> {
  const text = 'select run_at from graphile_worker.jobs where key = $1';
  return (await app.ctx.db.pool.query<{ run_at: Date }>(text, [`drafts.publish:${draftId}`])).rows;
}

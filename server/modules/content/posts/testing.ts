import { EMPTY_POST_DETAILS, type PostAudience } from '@stagedoor/contract/content/post-details.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { isFree } from '../entitlements/index.ts';
import { claimMedia } from '../media/index.ts';
import { makeReadyPicture } from '../media/testing.ts';
import './events.ts';
import { toPostType } from './publish.ts';
import * as store from './store.ts';

const ID_AT: SqlStatement = { name: 'testing-id-at', text: 'select uuidv7($1::timestamptz - clock_timestamp()) as id' };

export type TestPostOptions = {
  caption?: string;
  priceCents?: number;
  mediaIds?: readonly string[];
  alts?: readonly string[];
  tags?: readonly string[];
  subscribers?: PostAudience;
  people?: readonly string[];
  /** Determines the id, and so the position in lists. */
  createdAt?: Date;
  /** False to emit no event, so that it reaches no timeline. */
  shouldEmit?: boolean;
};

export async function makePost(ctx: Context, creatorId: string, options: TestPostOptions = {}): Promise<string> {
  const {
    caption = 'A quiet morning',
    priceCents = 0,
    alts = [],
    tags = [],
    subscribers = 'none',
    people = [],
    createdAt,
  } = options;
  const { shouldEmit = true } = options;
  const mediaIds = options.mediaIds ?? [await makeReadyPicture(ctx, creatorId)];
  const at = createdAt ?? ctx.clock.now();
  const id = createdAt
    ? ((await ctx.db.run<{ id: string }>(ID_AT, [createdAt]))[0]?.id ?? createId(ctx.clock))
    : createId(ctx.clock);
  await ctx.db.transaction(async (tx) => {
    const type = toPostType(await claimMedia(ctx, tx, creatorId, mediaIds, isFree(priceCents)));
    const media = mediaIds.map((mediaId, index) => ({ id: mediaId, alt: alts[index] ?? '' }));
    await store.insertPost(tx, {
      id,
      creatorId,
      type,
      caption,
      priceCents,
      media,
      details: { ...EMPTY_POST_DETAILS, tags: [...tags], subscribers },
      people,
      createdAt: at,
    });
    if (!shouldEmit) return store.markInTimelines(tx, id);
    const creator = await tx.query
      .selectFrom('users')
      .select('username')
      .where('id', '=', creatorId)
      .executeTakeFirstOrThrow();
    await tx.emit('post.published', {
      postId: id,
      creatorId,
      username: creator.username,
      type,
      createdAt: at.toISOString(),
      priceCents,
    });
  });
  return id;
}

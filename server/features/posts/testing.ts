import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { isFree } from '../entitlements/index.ts';
import { claimMedia } from '../media/index.ts';
import { makeReadyPicture } from '../media/testing.ts';
import './events.ts';
import { typeOf } from './publish.ts';
import * as store from './store.ts';

const ID_AT: Statement = { name: 'testing-id-at', text: 'select uuidv7($1::timestamptz - clock_timestamp()) as id' };

export type MakePost = {
  caption?: string;
  priceCents?: number;
  mediaIds?: readonly string[];
  alts?: readonly string[];
  tags?: readonly string[];
  people?: readonly string[];
  /** Determines the id, and so the position in lists. */
  createdAt?: Date;
  /** False to emit no event, so that it reaches no timeline. */
  isTold?: boolean;
};

export async function makePost(ctx: Context, creatorId: string, options: MakePost = {}): Promise<string> {
  const { caption = 'A quiet morning', priceCents = 0, alts = [], tags = [], people = [], createdAt } = options;
  const { isTold = true } = options;
  const mediaIds = options.mediaIds ?? [await makeReadyPicture(ctx, creatorId)];
  const at = createdAt ?? ctx.clock.now();
  const id = createdAt
    ? ((await ctx.db.run<{ id: string }>(ID_AT, [createdAt]))[0]?.id ?? newId(ctx.clock))
    : newId(ctx.clock);
  await ctx.db.transaction(async (tx) => {
    const type = typeOf(await claimMedia(ctx, tx, creatorId, mediaIds, isFree(priceCents)));
    const media = mediaIds.map((mediaId, index) => ({ id: mediaId, alt: alts[index] ?? '' }));
    await store.insertPost(tx, { id, creatorId, type, caption, priceCents, media, tags, people, createdAt: at });
    if (!isTold) return store.markInTimelines(tx, id);
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

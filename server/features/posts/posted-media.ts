import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId, type PostId } from '@stagedoor/contract/atoms/ids.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { listCreatorMedia } from '@stagedoor/contract/posts.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { cursorOf, LAST_ID, readOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import type { Entitlement } from '../entitlements/index.ts';
import { presentPostMedia } from '../media/index.ts';
import { joinRight, type PostMediaFacts } from './hydrate.ts';
import { titleOf } from './present.ts';
import * as store from './store.ts';

type Row = {
  post_id: PostId;
  caption: string;
  price_cents: number;
  entitlement: Entitlement;
  fact: string;
  place: number;
};

/** $1 viewer, $2 creator, $3 and $4 the post and position to continue after, $5 kind or null, $6 skip, $7 limit. */
const POSTED: Statement = {
  name: 'posts-posted-media',
  text: `select p.id as post_id, p.caption, p.price_cents, m.fact::text as fact, m.place::int as place, e.source as entitlement
  from posts p join users u on u.id = p.creator_id ${joinRight('$1::uuid')} cross join lateral json_array_elements(p.media_facts::json) with ordinality as m (fact, place)
  where p.creator_id = $2 and p.removed_at is null and p.id <= $3::uuid and (p.id < $3::uuid or m.place > $4::int)
    and ($5::text is null or m.fact ->> 'kind' = $5)
  order by p.id desc, m.place offset $6 limit $7`,
};

function readPlace(offset: string): { skip: number; postId: string; place: number } {
  const { skip, after } = readOffset(offset);
  if (after === undefined) return { skip, postId: LAST_ID, place: 0 };
  const [postId = '', place = ''] = after.split(' ');
  if (!isId(postId) || !/^\d{1,4}$/.test(place)) throw invalid('offset', 'Invalid offset');
  return { skip, postId, place: Number(place) };
}

function factOf({ fact }: Row): PostMediaFacts {
  return JSON.parse(fact);
}

/**
 * Throws NOT_FOUND if the user is not a creator, is blocked (except for themselves) or is in a blocked pair with the
 * viewer.
 */
export async function listMediaOf(
  ctx: Context,
  actor: Actor | undefined,
  creatorId: string,
  { limit, offset, kind }: QueryOf<typeof listCreatorMedia>,
): Promise<AnswerOf<typeof listCreatorMedia>> {
  const viewerId = actor?.userId ?? null;
  const { skip, postId, place } = readPlace(offset);
  const wanted = kind === 'all' ? null : kind;
  const [creator, rows] = await Promise.all([
    store.findCreator(ctx.db, viewerId, creatorId),
    ctx.db.run<Row>(POSTED, [viewerId, creatorId, postId, place, wanted, skip, limit + 1]),
  ]);
  if (!creator || (creator.is_blocked && creatorId !== viewerId)) throw new AppError('NOT_FOUND');
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map((row) => {
      const isUnlocked = row.entitlement !== null;
      const fact = factOf(row);
      return {
        postId: row.post_id,
        title: titleOf(row.caption),
        price: toUsd(row.price_cents),
        isUnlocked,
        isPurchased: row.entitlement === 'purchase',
        media: presentPostMedia(fact, fact.alt, isUnlocked),
      };
    }),
    limit,
    ...(rows.length > limit && last ? { nextOffset: cursorOf(`${last.post_id} ${last.place}`) } : {}),
  };
}

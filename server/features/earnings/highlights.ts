import { postPath } from '@stagedoor/contract/addresses.ts';
import { idsOf, type UserId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { type creatorHighlights, HIGHLIGHTS, type spentByFans } from '@stagedoor/contract/earnings.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { BEST_OF, bestOf, paidBy } from '../sales/index.ts';
import { namesOf } from '../wallet/index.ts';

const asUserId = (id: string): UserId => z.parse(userId, id);

export async function viewHighlights(ctx: Context, actor: Actor): Promise<AnswerOf<typeof creatorHighlights>> {
  const best = await bestOf(ctx.db, actor.userId, HIGHLIGHTS);
  const posts = best.filter(({ of }) => of === 'post');
  const fans = best.filter(({ of }) => of === 'fan');
  const names = await namesOf(ctx, [
    ...fans.map(({ id }) => ({ fanId: id, creatorId: actor.userId, subjectId: null })),
    ...posts.map(({ id }) => ({ fanId: actor.userId, creatorId: actor.userId, subjectId: id })),
  ]);
  const sums = ({ count, paidCents, netCents }: (typeof best)[number]) => ({
    count,
    paid: toUsd(asCents(paidCents)),
    earned: toUsd(asCents(netCents)),
  });
  return {
    bestOf: BEST_OF,
    bestPosts: posts.map((post) => ({
      title: names.posts.get(post.id) ?? 'Untitled',
      href: postPath(post.id),
      ...sums(post),
    })),
    bestFans: fans.map((fan) => ({
      id: asUserId(fan.id),
      name: names.people.get(fan.id)?.name ?? 'A fan',
      avatarUrl: names.people.get(fan.id)?.avatarUrl ?? null,
      ...sums(fan),
    })),
  };
}

/** Fans who paid nothing and unknown ids both get zero. */
export async function viewSpent(
  ctx: Context,
  actor: Actor,
  { ids }: QueryOf<typeof spentByFans>,
): Promise<AnswerOf<typeof spentByFans>> {
  const wanted = idsOf(ids);
  const found = new Map((await paidBy(ctx.db, actor.userId, wanted)).map((row) => [row.id, row]));
  const data = wanted.map((id) => ({
    id: asUserId(id),
    count: found.get(id)?.count ?? 0,
    spent: toUsd(asCents(found.get(id)?.cents ?? 0)),
  }));
  return { data };
}

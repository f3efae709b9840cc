import {
  type getCreatorHighlights,
  HIGHLIGHT_COUNT,
  type listFanSpending,
} from '@stagedoor/contract/finance/earnings.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import { parseIdList, type UserId, userId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { listPaymentsByFan, listTopEarners, MAX_RANKED_SALES } from '../../commerce/sales/index.ts';
import { loadDisplayNames } from '../wallet/index.ts';
import * as texts from './texts.ts';

const toUserId = (id: string): UserId => z.parse(userId, id);

export async function viewHighlights(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof getCreatorHighlights>> {
  const topEarners = await listTopEarners(ctx.db, actor.userId, HIGHLIGHT_COUNT);
  const posts = topEarners.filter(({ kind }) => kind === 'post');
  const fans = topEarners.filter(({ kind }) => kind === 'fan');
  const names = await loadDisplayNames(ctx, [
    ...fans.map(({ id }) => ({ fanId: id, creatorId: actor.userId, subjectId: null })),
    ...posts.map(({ id }) => ({ fanId: actor.userId, creatorId: actor.userId, subjectId: id })),
  ]);
  const presentSums = ({ count, paidCents, netCents }: (typeof topEarners)[number]) => ({
    count,
    paid: toUsd(asCents(paidCents)),
    earned: toUsd(asCents(netCents)),
  });
  return {
    saleCount: MAX_RANKED_SALES,
    bestPosts: posts.map((post) => ({
      title: names.posts.get(post.id) ?? 'Untitled',
      href: postPath(post.id),
      ...presentSums(post),
    })),
    bestFans: fans.map((fan) => ({
      id: toUserId(fan.id),
      name: names.users.get(fan.id)?.name ?? texts.aFan,
      avatarUrl: names.users.get(fan.id)?.avatarUrl ?? null,
      ...presentSums(fan),
    })),
  };
}

/** Fans who paid nothing and unknown ids both get zero. */
export async function viewFanSpending(
  ctx: Context,
  actor: Actor,
  { ids }: QueryOf<typeof listFanSpending>,
): Promise<ResponseInputOf<typeof listFanSpending>> {
  const fanIds = parseIdList(ids);
  const spending = new Map((await listPaymentsByFan(ctx.db, actor.userId, fanIds)).map((row) => [row.id, row]));
  const data = fanIds.map((id) => ({
    id: toUserId(id),
    count: spending.get(id)?.count ?? 0,
    spent: toUsd(asCents(spending.get(id)?.cents ?? 0)),
  }));
  return { data };
}

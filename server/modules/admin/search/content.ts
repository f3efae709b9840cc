import type { getAdminCall, getAdminPost } from '@stagedoor/contract/admin/content.ts';
import { searchLedger } from '@stagedoor/contract/admin/ledger.ts';
import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findSale } from '../../commerce/sales/index.ts';
import { isFree } from '../../content/entitlements/index.ts';
import { findAnyPost, getModerationStatus, getSalesTotals, toPostTitle } from '../../content/posts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { findAdminCall } from '../../messaging/calls/index.ts';
import { findKnownCopies, listContentCases } from '../../trust/moderation/index.ts';

type AdminPostView = ResponseInputOf<typeof getAdminPost>;
type AdminCallView = ResponseInputOf<typeof getAdminCall>;
const MAX_SHOWN = 20;

function toContentState({ hiddenAt, removedAt, deletedAt }: Awaited<ReturnType<typeof getModerationStatus>>) {
  const formatSince = (at: Date | null) => at?.toISOString() ?? null;
  if (deletedAt !== null) return { state: 'removed' as const, stateSince: formatSince(deletedAt) };
  if (hiddenAt !== null) return { state: 'hidden' as const, stateSince: formatSince(hiddenAt) };
  return removedAt === null
    ? { state: 'published' as const, stateSince: null }
    : { state: 'removed' as const, stateSince: formatSince(removedAt) };
}

/** Throws NOT_FOUND. */
export async function getPostView(ctx: Context, actor: Actor, id: string): Promise<AdminPostView> {
  const { db } = ctx;
  const post = await findAnyPost(db, id);
  if (!post) throw new AppError('NOT_FOUND');
  const mediaIds = post.media.map((media) => media.id);
  const [moderation, saleTotals, copies, related] = await Promise.all([
    getModerationStatus(db, id),
    getSalesTotals(db, id),
    findKnownCopies(db, mediaIds),
    listContentCases(ctx, actor, 'post', id, MAX_SHOWN),
  ]);
  return {
    id: post.id,
    title: toPostTitle(post.caption),
    caption: post.caption,
    type: post.type,
    files: post.media_count,
    price: isFree(post.price_cents) ? null : toUsd(post.price_cents),
    at: post.created_at.toISOString(),
    ...toContentState(moderation),
    creator: { id: post.creator_id, username: post.username, name: post.name, type: 'creator' },
    likes: post.like_count,
    ...post.details,
    people: post.people.map(({ username }) => username),
    copies: copies.count,
    copyOwners: copies.ownerUsernames,
    sales: {
      ...{ count: saleTotals.count, amount: toUsd(saleTotals.cents) },
      ...{ refunds: saleTotals.refunds, refunded: toUsd(saleTotals.refundedCents) },
    },
    ...related,
  };
}

/** Throws NOT_FOUND. Each view is logged. */
export async function getCallView(ctx: Context, actor: Actor, id: string): Promise<AdminCallView> {
  const { db } = ctx;
  const foundCall = await findAdminCall(ctx, id);
  if (!foundCall) throw new AppError('NOT_FOUND');
  const { view, timeline, saleId } = foundCall;
  const canReadMoney = canOperatorCallRoute(actor.roles ?? [], searchLedger);
  const [sale, { cases }] = await Promise.all([
    canReadMoney && saleId !== null ? findSale(db, saleId) : undefined,
    listContentCases(ctx, actor, 'call', id, MAX_SHOWN),
  ]);
  await db.transaction((tx) =>
    logAction(ctx, tx, { operatorId: actor.userId, action: 'call.view', subjectKind: 'call', subjectId: id }),
  );
  return {
    ...view,
    timeline: timeline.map(({ at, event, by, connectedMs }) => ({ at: at.toISOString(), event, by, connectedMs })),
    refunded: canReadMoney ? toUsd(sale?.reversedCents ?? 0) : null,
    transactionId: canReadMoney ? saleId : null,
    cases,
  };
}

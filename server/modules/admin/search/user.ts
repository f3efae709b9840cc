import { searchLedger } from '@stagedoor/contract/admin/ledger.ts';
import { canOperatorCallRoute, canOperatorReadQueue } from '@stagedoor/contract/admin/operator-rights.ts';
import type { getAdminUser } from '@stagedoor/contract/admin/search.ts';
import { PAYOUT_SOURCES } from '@stagedoor/contract/finance/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import { RESTRICTED_ACTIVITIES } from '@stagedoor/contract/shared/restrictions.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getSalesStats, sumSpending } from '../../commerce/sales/index.ts';
import { getVerificationVerdict } from '../../compliance/verification/index.ts';
import { listLatestPosts, toPostTitle } from '../../content/posts/index.ts';
import { viewPayouts } from '../../finance/payouts/index.ts';
import { findUser, getRestrictions, listSessionsForExport, toAvatarUrl } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { countBlocks } from '../../identity/blocks/index.ts';
import { listAccounts } from '../../ledger/ledger/index.ts';
import { listUserCases } from '../../trust/moderation/index.ts';
import { presentAccounts } from '../ledger-explorer/index.ts';

type UserView = ResponseInputOf<typeof getAdminUser>;
const MAX_SHOWN = 10;
type AccountUser = NonNullable<Awaited<ReturnType<typeof findUser>>>;

async function getMoney({ db, clock }: Context, { id, type }: AccountUser): Promise<UserView['money']> {
  const [accounts, spentCents, stats, payouts] = await Promise.all([
    listAccounts(db, id),
    type === 'customer' ? sumSpending(db, id) : null,
    type === 'creator' ? getSalesStats(db, id, clock.now()) : null,
    Promise.all(
      PAYOUT_SOURCES.map((source) => viewPayouts(db, { userId: id, source }, { limit: MAX_SHOWN, offset: '0' })),
    ),
  ]);
  return {
    accounts: await presentAccounts(db, accounts),
    spent: spentCents === null ? null : toUsd(spentCents),
    earned: stats === null ? null : toUsd(stats.earningsCents.total),
    payouts: payouts
      .flatMap(({ data }) => data)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, MAX_SHOWN),
  };
}

async function listPosts({ db }: Context, { id, type }: AccountUser): Promise<UserView['posts']> {
  if (type !== 'creator') return [];
  const rows = await listLatestPosts(db, id, MAX_SHOWN);
  return rows.map((post) => ({
    id: post.id,
    title: toPostTitle(post.caption),
    at: post.created_at.toISOString(),
    isDeleted: post.removed_at !== null,
  }));
}

/** Throws NOT_FOUND for unknown users and for operators. Each view is logged. */
export async function getUserView(ctx: Context, actor: Actor, id: string): Promise<UserView> {
  const { db, clock } = ctx;
  const user = await findUser(db, id);
  if (!user || user.type === 'operator') throw new AppError('NOT_FOUND');
  const roles = actor.roles ?? [];
  const now = clock.now();
  const [cases, sessions, blocks, posts, verdict, money] = await Promise.all([
    listUserCases(ctx, actor, id, MAX_SHOWN),
    listSessionsForExport(db, id, now),
    countBlocks(db, id, CASE_LIMITS.countMax),
    canOperatorReadQueue(roles, 'reports') ? listPosts(ctx, user) : [],
    user.type === 'creator' ? getVerificationVerdict(db, id) : null,
    canOperatorCallRoute(roles, searchLedger) ? getMoney(ctx, user) : null,
  ]);
  await db.transaction((tx) =>
    logAction(ctx, tx, { operatorId: actor.userId, action: 'user.view', subjectKind: 'user', subjectId: id }),
  );
  const restrictions = getRestrictions(user);
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    email: user.email,
    type: user.type,
    avatarUrl: toAvatarUrl(user.avatar_key),
    since: user.created_at.toISOString(),
    lastSeenAt: user.last_seen_at?.toISOString() ?? null,
    isEmailVerified: user.email_verified_at !== null,
    hasSecondFactor: user.two_factor_enabled_at !== null,
    isBlocked: user.is_blocked,
    blockedUntil: user.blocked_until?.toISOString() ?? null,
    isDeletionScheduled: user.is_deletion_pending,
    isDeleted: user.is_erasing,
    restrictions: RESTRICTED_ACTIVITIES.flatMap((activity) => {
      const until = restrictions[activity];
      return until !== undefined && until > now.toISOString() ? [{ activity, until }] : [];
    }),
    verification: verdict?.status ?? null,
    sessions: sessions.length,
    blocks,
    posts,
    ...cases,
    money,
  };
}

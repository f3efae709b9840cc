import { ACTIVITIES } from '@stagedoor/contract/atoms/activities.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import { CASES } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { searchLedger } from '@stagedoor/contract/ledger-desk.ts';
import type { readPerson } from '@stagedoor/contract/lookup.ts';
import { operatorMay, operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import { PAYOUT_SOURCES } from '@stagedoor/contract/payouts.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { avatarUrl, findUser, limitedOf, sessionsOf } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { countApart } from '../blocks/index.ts';
import { casesAround } from '../cases/index.ts';
import { accountsOf } from '../ledger/index.ts';
import { presentAccounts } from '../ledger-desk/index.ts';
import { viewPayouts } from '../payouts/index.ts';
import { latestPostsOf, titleOf } from '../posts/index.ts';
import { creatorStats, spentBy } from '../sales/index.ts';
import { verdictOf } from '../verification/index.ts';

type View = AnswerOf<typeof readPerson>;
const SHOWN = 10;
type User = NonNullable<Awaited<ReturnType<typeof findUser>>>;

async function moneyOf({ db, clock }: Context, { id, type }: User): Promise<View['money']> {
  const [accounts, spentCents, stats, payouts] = await Promise.all([
    accountsOf(db, id),
    type === 'customer' ? spentBy(db, id) : null,
    type === 'creator' ? creatorStats(db, id, clock.now()) : null,
    Promise.all(PAYOUT_SOURCES.map((source) => viewPayouts(db, { userId: id, source }, { limit: SHOWN, offset: '0' }))),
  ]);
  return {
    accounts: await presentAccounts(db, accounts),
    spent: spentCents === null ? null : toUsd(spentCents),
    earned: stats === null ? null : toUsd(stats.earningsCents.total),
    payouts: payouts
      .flatMap(({ data }) => data)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, SHOWN),
  };
}

async function postsOf({ db }: Context, { id, type }: User): Promise<View['posts']> {
  if (type !== 'creator') return [];
  const rows = await latestPostsOf(db, id, SHOWN);
  return rows.map((post) => ({
    id: post.id,
    title: titleOf(post.caption),
    at: post.created_at.toISOString(),
    isGone: post.removed_at !== null,
  }));
}

/** Throws NOT_FOUND for unknown users and for operators. Each view is logged. */
export async function viewPerson(ctx: Context, actor: Actor, id: string): Promise<View> {
  const { db, clock } = ctx;
  const user = await findUser(db, id);
  if (!user || user.type === 'operator') throw new AppError('NOT_FOUND');
  const roles = actor.roles ?? [];
  const now = clock.now();
  const [cases, sessions, blocks, posts, verdict, money] = await Promise.all([
    casesAround(ctx, actor, id, SHOWN),
    sessionsOf(db, id, now),
    countApart(db, id, CASES.counted),
    operatorReadsQueue(roles, 'reports') ? postsOf(ctx, user) : [],
    user.type === 'creator' ? verdictOf(db, id) : null,
    operatorMay(roles, searchLedger) ? moneyOf(ctx, user) : null,
  ]);
  await db.transaction((tx) =>
    noteAct(ctx, tx, { operatorId: actor.userId, act: 'person.look', subjectKind: 'person', subjectId: id }),
  );
  const limited = limitedOf(user);
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    email: user.email,
    type: user.type,
    avatarUrl: avatarUrl(user.avatar_key),
    since: user.created_at.toISOString(),
    lastSeenAt: user.last_seen_at?.toISOString() ?? null,
    isEmailVerified: user.email_verified_at !== null,
    hasSecondFactor: user.two_factor_enabled_at !== null,
    isBlocked: user.is_blocked,
    blockedUntil: user.blocked_until?.toISOString() ?? null,
    isClosing: user.is_closing,
    isClosed: user.is_erasing,
    limits: ACTIVITIES.flatMap((activity) => {
      const until = limited[activity];
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

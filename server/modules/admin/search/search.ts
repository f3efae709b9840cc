/** Results are limited to what the operator's roles may open. The users shown are logged. */

import {
  adminCallPath,
  adminPayoutPath,
  adminPostPath,
  adminUserPath,
  ledgerTransactionPath,
} from '@stagedoor/contract/admin/addresses.ts';
import { listAdminCalls } from '@stagedoor/contract/admin/calls.ts';
import { listCases } from '@stagedoor/contract/admin/cases.ts';
import { searchLedger } from '@stagedoor/contract/admin/ledger.ts';
import { canOperatorCallRoute, canOperatorReadQueue } from '@stagedoor/contract/admin/operator-rights.ts';
import { listAdminPayouts } from '@stagedoor/contract/admin/payouts.ts';
import {
  SEARCH_RESULTS_MAX,
  type SearchResult,
  SUBSTRING_MIN_LENGTH,
  type searchAdmin,
} from '@stagedoor/contract/admin/search.ts';
import { OTHER_TRANSACTION_TITLE } from '@stagedoor/contract/commerce/money-kinds.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { formatCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { hasUnspacedScript } from '@stagedoor/contract/shared/scripts.ts';
import { casePath } from '@stagedoor/contract/trust/case-addresses.ts';
import type { Context } from '../../../platform/context.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findDepositByIdOrOrder } from '../../commerce/deposits/index.ts';
import { findAnyPost, toPostTitle } from '../../content/posts/index.ts';
import { findPayoutByNumberOrId } from '../../finance/payouts/index.ts';
import { findUser, findUserSummaries, searchUsers } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import {
  findTransactionIds,
  findTransactionIdsByRef,
  listTransactionsByIds,
  NEWEST_TRANSACTION,
  searchTransactions,
} from '../../ledger/ledger/index.ts';
import { findCall } from '../../messaging/calls/index.ts';
import { searchCases } from '../../trust/moderation/index.ts';
import * as texts from './texts.ts';

type SearchResponse = ResponseInputOf<typeof searchAdmin>;
type SearchPart = {
  results: SearchResult[];
  shownUserIds: string[];
  hasMore?: boolean;
  searchedBackTo?: Date | undefined;
};
const NO_RESULTS: SearchPart = { results: [], shownUserIds: [] };

const USER_TYPE_LABELS = { customer: 'Fan', creator: 'Creator', operator: 'Operator' } as const;
const BASE_RESULT = { at: null, amount: null };

async function findUserResults({ db }: Context, text: string): Promise<SearchPart> {
  const name = text.replace(/^@/, '');
  const users = isId(text)
    ? [await findUser(db, text)].filter((user) => user !== undefined)
    : await searchUsers(db, name, {
        limit: SEARCH_RESULTS_MAX + 1,
        includesSubstring: Array.from(name).length >= SUBSTRING_MIN_LENGTH || hasUnspacedScript(name),
      });
  const visible = users.slice(0, SEARCH_RESULTS_MAX).filter(({ type }) => type !== 'operator');
  const results = visible.map(({ id, username, name: title, email, type, is_blocked: isBlocked }): SearchResult => {
    const subtitle = [`@${username}`, email, USER_TYPE_LABELS[type], ...(isBlocked ? ['blocked'] : [])].join(' · ');
    return { ...BASE_RESULT, kind: 'user', id, title, subtitle, href: adminUserPath(id) };
  });
  return { results, shownUserIds: visible.map(({ id }) => id), hasMore: users.length > SEARCH_RESULTS_MAX };
}

async function findCaseResults(ctx: Context, actor: Actor, text: string): Promise<SearchPart> {
  const cases = await searchCases(ctx, actor, text, SEARCH_RESULTS_MAX);
  const results = cases.map(({ id, reference, title, state, from, openedAt }): SearchResult => {
    const subtitle = formatText(texts.caseSummary, { reference, state, sender: from });
    return { ...BASE_RESULT, kind: 'case', id, title, subtitle, href: casePath(id), at: openedAt };
  });
  return { results, shownUserIds: cases.flatMap(({ user }) => user?.id ?? []) };
}

async function findPostResult({ db }: Context, id: string): Promise<SearchPart> {
  const post = await findAnyPost(db, id);
  if (!post) return NO_RESULTS;
  const isDeleted = post.removed_at !== null;
  const result: SearchResult = {
    ...BASE_RESULT,
    kind: 'post',
    id,
    title: toPostTitle(post.caption) || texts.untitledPost,
    subtitle: formatText(texts.postSummary, {
      username: post.username,
      visibilityNote: isDeleted ? ' · not visible' : '',
    }),
    href: adminPostPath(id),
    at: post.created_at.toISOString(),
  };
  return { results: [result], shownUserIds: [post.creator_id] };
}

async function findCallResult({ db }: Context, id: string): Promise<SearchPart> {
  const call = await findCall(db, id);
  if (!call) return NO_RESULTS;
  const usersById = await findUserSummaries(db, [call.fanId, call.creatorId]);
  const [fan, creator] = [call.fanId, call.creatorId].map((one) => `@${usersById.get(one)?.username ?? one}`);
  const subtitle = `${fan} with ${creator}${call.endedAt === null ? ' · ongoing' : ''}`;
  const at = call.createdAt.toISOString();
  const title = call.kind === 'video' ? texts.videoCall : texts.voiceCall;
  const result: SearchResult = { ...BASE_RESULT, kind: 'call', id, title, subtitle, href: adminCallPath(id), at };
  return { results: [result], shownUserIds: [call.fanId, call.creatorId] };
}

async function findPayoutResult({ db }: Context, text: string): Promise<SearchPart> {
  const payout = await findPayoutByNumberOrId(db, text);
  if (!payout) return NO_RESULTS;
  const user = (await findUserSummaries(db, [payout.userId])).get(payout.userId);
  const title = `PO-${String(payout.number).padStart(6, '0')}`;
  const subtitle = `@${user?.username ?? payout.userId} · ${payout.status}`;
  const result: SearchResult = {
    ...BASE_RESULT,
    kind: 'payout',
    id: payout.id,
    title,
    subtitle,
    href: adminPayoutPath(payout.id),
  };
  return { results: [result], shownUserIds: [payout.userId] };
}

const presentTransaction = ({
  id,
  at,
  title,
  cents,
}: Awaited<ReturnType<typeof listTransactionsByIds>>[number]): SearchResult => ({
  kind: 'transaction',
  id,
  title: title ?? OTHER_TRANSACTION_TITLE,
  subtitle: formatCents(cents),
  href: ledgerTransactionPath(id),
  at: at.toISOString(),
  amount: toUsd(cents),
});

/** Parses amounts such as “12.34” and “$1,200.00” into cents. A whole number without a sign may be anything else. */
export function parseSearchAmount(text: string): number | undefined {
  const amount = text.replaceAll(',', '');
  if (!/^\$\s?\d{1,9}(?:\.\d{1,2})?$|^\d{1,9}\.\d{2}$/.test(amount)) return undefined;
  const cents = Math.round(Number(amount.replace(/^\$\s?/, '')) * 100);
  return cents > 0 ? cents : undefined;
}

async function findTransactionResults({ db }: Context, text: string): Promise<SearchPart> {
  const cents = parseSearchAmount(text);
  if (cents !== undefined) {
    const criteria = { cents, from: new Date(0), until: NEWEST_TRANSACTION.at };
    const { rows, searchedBackTo, next } = await searchTransactions(db, criteria, {
      after: NEWEST_TRANSACTION,
      limit: SEARCH_RESULTS_MAX,
    });
    const last = searchedBackTo ?? (next && rows.at(-1)?.at);
    return { results: rows.map(presentTransaction), shownUserIds: [], searchedBackTo: last };
  }
  const ids = isId(text)
    ? [...(await findTransactionIds(db, text)), (await findDepositByIdOrOrder(db, text))?.transaction_id ?? []].flat()
    : await findTransactionIdsByRef(db, text);
  const rows = ids.length === 0 ? [] : await listTransactionsByIds(db, ids.slice(0, SEARCH_RESULTS_MAX));
  return { results: rows.map(presentTransaction), shownUserIds: [] };
}

export async function runAdminSearch(ctx: Context, actor: Actor, q: string): Promise<SearchResponse> {
  const roles = actor.roles ?? [];
  const text = isId(q.toLowerCase()) ? q.toLowerCase() : q;
  if (text === '') return { data: [], hasMore: false, searchedBackTo: null };
  const isAmount = parseSearchAmount(text) !== undefined;
  const canReadMoney = canOperatorCallRoute(roles, searchLedger);
  const canReadReports = canOperatorReadQueue(roles, 'reports');
  const parts = await Promise.all([
    isAmount ? NO_RESULTS : findUserResults(ctx, text),
    isAmount || !canOperatorCallRoute(roles, listCases) ? NO_RESULTS : findCaseResults(ctx, actor, text),
    isId(text) && canReadReports ? findPostResult(ctx, text) : NO_RESULTS,
    isId(text) && canOperatorCallRoute(roles, listAdminCalls) ? findCallResult(ctx, text) : NO_RESULTS,
    !isAmount && canOperatorCallRoute(roles, listAdminPayouts) ? findPayoutResult(ctx, text) : NO_RESULTS,
    canReadMoney ? findTransactionResults(ctx, text) : NO_RESULTS,
  ]);
  const shownUserIds = [...new Set(parts.flatMap((one) => one.shownUserIds))];
  if (shownUserIds.length > 0)
    await ctx.db.transaction((tx) =>
      logAction(ctx, tx, {
        operatorId: actor.userId,
        action: 'search.view',
        // Only ids are logged, because the log is permanent and the search text may be an address.
        ...(shownUserIds.length === 1
          ? { subjectKind: 'user', subjectId: shownUserIds[0] ?? '' }
          : { subjectKind: 'search', subjectId: createId(ctx.clock), details: { userIds: shownUserIds.join(' ') } }),
      }),
    );
  return {
    data: parts.flatMap(({ results }) => results),
    hasMore: parts.some(({ hasMore }) => hasMore === true),
    searchedBackTo: parts.find((one) => one.searchedBackTo)?.searchedBackTo?.toISOString() ?? null,
  };
}

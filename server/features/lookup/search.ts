/** Results are limited to what the operator's roles may open. The users shown are logged. */
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { formatCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { listDeskCalls } from '@stagedoor/contract/calls-desk.ts';
import { casePath } from '@stagedoor/contract/case-addresses.ts';
import { listCases } from '@stagedoor/contract/cases-desk.ts';
import {
  callDeskPath,
  ledgerTransactionPath,
  payoutCasePath,
  personDeskPath,
  postDeskPath,
} from '@stagedoor/contract/desk-addresses.ts';
import { searchLedger } from '@stagedoor/contract/ledger-desk.ts';
import { HITS, type Hit, type lookUp, WITHIN_LENGTH } from '@stagedoor/contract/lookup.ts';
import { OTHER_MOVEMENT } from '@stagedoor/contract/money-kinds.ts';
import { operatorMay, operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import { listDeskPayouts } from '@stagedoor/contract/payout-desk.ts';
import type { Context } from '../../kernel/context.ts';
import { newId } from '../../kernel/ids.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople, findPeopleLike, findUser } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { findCall } from '../calls/index.ts';
import { casesCalled } from '../cases/index.ts';
import { findTransactions, NEWEST, searchTransactions, transactionsNamed, transactionsTold } from '../ledger/index.ts';
import { depositByIdOrOrder } from '../payments/index.ts';
import { findPayoutCalled } from '../payouts/index.ts';
import { findAnyPost, titleOf } from '../posts/index.ts';

type Answer = AnswerOf<typeof lookUp>;
type Found = { hits: Hit[]; shown: string[]; hasMore?: boolean; lookedBackTo?: Date | undefined };
const NOTHING: Found = { hits: [], shown: [] };

const TYPE_WORDS = { customer: 'Fan', creator: 'Creator', operator: 'Operator' } as const;
const plain = { at: null, amount: null };

async function peopleFound({ db }: Context, text: string): Promise<Found> {
  const name = text.replace(/^@/, '');
  const found = isId(text)
    ? [await findUser(db, text)].filter((user) => user !== undefined)
    : await findPeopleLike(db, name, { limit: HITS + 1, isWithin: Array.from(name).length >= WITHIN_LENGTH });
  const shown = found.slice(0, HITS).filter(({ type }) => type !== 'operator');
  const hits = shown.map(({ id, username, name: title, email, type, is_blocked: isBlocked }): Hit => {
    const sub = [`@${username}`, email, TYPE_WORDS[type], ...(isBlocked ? ['blocked'] : [])].join(' · ');
    return { ...plain, kind: 'person', id, title, sub, href: personDeskPath(id) };
  });
  return { hits, shown: shown.map(({ id }) => id), hasMore: found.length > HITS };
}

async function casesFound(ctx: Context, actor: Actor, text: string): Promise<Found> {
  const lines = await casesCalled(ctx, actor, text, HITS);
  const hits = lines.map(({ id, reference, title, state, from, openedAt }): Hit => {
    const sub = `${reference} · ${state} · from ${from}`;
    return { ...plain, kind: 'case', id, title, sub, href: casePath(id), at: openedAt };
  });
  return { hits, shown: lines.flatMap(({ person }) => person?.id ?? []) };
}

async function postFound({ db }: Context, id: string): Promise<Found> {
  const post = await findAnyPost(db, id);
  if (!post) return NOTHING;
  const isGone = post.removed_at !== null;
  const hit: Hit = {
    ...plain,
    kind: 'post',
    id,
    title: titleOf(post.caption) || 'Untitled post',
    sub: `by @${post.username}${isGone ? ' · not visible' : ''}`,
    href: postDeskPath(id),
    at: post.created_at.toISOString(),
  };
  return { hits: [hit], shown: [post.creator_id] };
}

async function callFound({ db }: Context, id: string): Promise<Found> {
  const call = await findCall(db, id);
  if (!call) return NOTHING;
  const people = await findPeople(db, [call.fanId, call.creatorId]);
  const [fan, creator] = [call.fanId, call.creatorId].map((one) => `@${people.get(one)?.username ?? one}`);
  const sub = `${fan} with ${creator}${call.endedAt === null ? ' · ongoing' : ''}`;
  const at = call.createdAt.toISOString();
  const title = call.kind === 'video' ? 'Video call' : 'Voice call';
  const hit: Hit = { ...plain, kind: 'call', id, title, sub, href: callDeskPath(id), at };
  return { hits: [hit], shown: [call.fanId, call.creatorId] };
}

async function payoutFound({ db }: Context, text: string): Promise<Found> {
  const payout = await findPayoutCalled(db, text);
  if (!payout) return NOTHING;
  const person = (await findPeople(db, [payout.userId])).get(payout.userId);
  const title = `PO-${String(payout.number).padStart(6, '0')}`;
  const sub = `@${person?.username ?? payout.userId} · ${payout.status}`;
  const hit: Hit = { ...plain, kind: 'payout', id: payout.id, title, sub, href: payoutCasePath(payout.id) };
  return { hits: [hit], shown: [payout.userId] };
}

const presentTransaction = ({ id, at, title, cents }: Awaited<ReturnType<typeof findTransactions>>[number]): Hit => ({
  kind: 'transaction',
  id,
  title: title ?? OTHER_MOVEMENT,
  sub: formatCents(cents),
  href: ledgerTransactionPath(id),
  at: at.toISOString(),
  amount: toUsd(cents),
});

/** Parses amounts such as “12.34” and “$1,200.00” into cents. A whole number without a sign may be anything else. */
export function centsIn(text: string): number | undefined {
  const sum = text.replaceAll(',', '');
  if (!/^\$\s?\d{1,9}(?:\.\d{1,2})?$|^\d{1,9}\.\d{2}$/.test(sum)) return undefined;
  const cents = Math.round(Number(sum.replace(/^\$\s?/, '')) * 100);
  return cents > 0 ? cents : undefined;
}

async function transactionsFound({ db }: Context, text: string): Promise<Found> {
  const cents = centsIn(text);
  if (cents !== undefined) {
    const sought = { cents, from: new Date(0), until: NEWEST.at };
    const { rows, lookedBackTo, next } = await searchTransactions(db, sought, { after: NEWEST, limit: HITS });
    const last = lookedBackTo ?? (next && rows.at(-1)?.at);
    return { hits: rows.map(presentTransaction), shown: [], lookedBackTo: last };
  }
  const ids = isId(text)
    ? [...(await transactionsNamed(db, text)), (await depositByIdOrOrder(db, text))?.transaction_id ?? []].flat()
    : await transactionsTold(db, text);
  const rows = ids.length === 0 ? [] : await findTransactions(db, ids.slice(0, HITS));
  return { hits: rows.map(presentTransaction), shown: [] };
}

export async function search(ctx: Context, actor: Actor, q: string): Promise<Answer> {
  const roles = actor.roles ?? [];
  const text = isId(q.toLowerCase()) ? q.toLowerCase() : q;
  if (text === '') return { data: [], hasMore: false, lookedBackTo: null };
  const isSum = centsIn(text) !== undefined;
  const mayMoney = operatorMay(roles, searchLedger);
  const readsReports = operatorReadsQueue(roles, 'reports');
  const found = await Promise.all([
    isSum ? NOTHING : peopleFound(ctx, text),
    isSum || !operatorMay(roles, listCases) ? NOTHING : casesFound(ctx, actor, text),
    isId(text) && readsReports ? postFound(ctx, text) : NOTHING,
    isId(text) && operatorMay(roles, listDeskCalls) ? callFound(ctx, text) : NOTHING,
    !isSum && operatorMay(roles, listDeskPayouts) ? payoutFound(ctx, text) : NOTHING,
    mayMoney ? transactionsFound(ctx, text) : NOTHING,
  ]);
  const shown = [...new Set(found.flatMap((one) => one.shown))];
  if (shown.length > 0)
    await ctx.db.transaction((tx) =>
      noteAct(ctx, tx, {
        operatorId: actor.userId,
        act: 'search.look',
        // Only ids are logged, because the log is permanent and the search text may be an address.
        ...(shown.length === 1
          ? { subjectKind: 'person', subjectId: shown[0] ?? '' }
          : { subjectKind: 'search', subjectId: newId(ctx.clock), facts: { people: shown.join(' ') } }),
      }),
    );
  return {
    data: found.flatMap(({ hits }) => hits),
    hasMore: found.some(({ hasMore }) => hasMore === true),
    lookedBackTo: found.find((one) => one.lookedBackTo)?.lookedBackTo?.toISOString() ?? null,
  };
}

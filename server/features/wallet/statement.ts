/** A fan's wallet and every movement of it, in words. */

import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { getWallet, transaction, transactionHistory } from '@stagedoor/contract/wallet.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { cursorOf, readOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople, type Person } from '../accounts/index.ts';
import { account } from '../ledger/index.ts';
import { postTitles } from './posts.ts';
import { cardWords } from './present.ts';
import { type LineRow, readStatement, readWallet } from './statement-store.ts';

export async function viewWallet(ctx: Context, actor: Actor): Promise<AnswerOf<typeof getWallet>> {
  const codes = { wallet: account.wallet(actor.userId), hold: account.hold(actor.userId) };
  const today = ctx.clock.now().toISOString().slice(0, 10);
  const row = await readWallet(ctx.db, codes, today);
  return {
    available: toUsd(row.available_cents),
    held: toUsd(row.held_cents),
    spentToday: toUsd(row.spent_cents),
    dailyLimit: toUsd(row.limit_cents),
  };
}

/** What lines refer to, read once for all of them. */
export type Names = { people: ReadonlyMap<string, Person>; posts: ReadonlyMap<string, string> };

export async function namesOf(
  ctx: Context,
  rows: readonly { creator_id: string | null; fan_id: string | null; subject_id: string | null }[],
): Promise<Names> {
  const ids = rows.flatMap(({ creator_id, fan_id }) => [creator_id, fan_id]).filter((id) => id !== null);
  const [people, posts] = await Promise.all([
    findPeople(ctx.db, ids),
    postTitles(
      ctx,
      rows.map(({ subject_id }) => subject_id),
    ),
  ]);
  return { people, posts };
}

const PLACES: Readonly<Record<string, string>> = { profile: 'in profile', chat: 'in chat', call: 'in a call' };

/** "in profile", or on which post. */
export function tipPlace(row: Pick<LineRow, 'tip_type' | 'subject_id'>, names: Names): string {
  if (row.tip_type !== 'post') return PLACES[row.tip_type ?? ''] ?? '';
  const title = names.posts.get(row.subject_id ?? '');
  return title ? `on “${title}”` : 'on a post';
}

type Words = { title: string; detail: string };

function saleWords(row: LineRow, names: Names): Words {
  const creator = names.people.get(row.creator_id ?? '')?.name ?? 'a creator';
  if (row.sale_kind === 'tip') return { title: `Tip to ${creator}`, detail: tipPlace(row, names) };
  return { title: names.posts.get(row.subject_id ?? '') || 'Post', detail: `post by ${creator}` };
}

const DEPOSIT_TITLES: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  deposit_refund: 'Refund to your card',
  deposit_void: 'Payment cancelled',
  deposit_chargeback: 'Chargeback',
  deposit_return: 'Payment returned by the bank',
};

/** What a line is called, for the fan. */
export function wordsOf(row: LineRow, names: Names): Words {
  if (row.sale_kind === null)
    return { title: DEPOSIT_TITLES[row.ledger_kind] ?? 'Deposit', detail: cardWords(row) ?? 'by card' };
  const words = saleWords(row, names);
  return row.reverses_id === null ? words : { title: `Refund: ${words.title}`, detail: 'back to your balance' };
}

function hrefOf(row: LineRow, names: Names): string | null {
  if (row.subject_id !== null) return `/post/${row.subject_id}`;
  const creator = names.people.get(row.creator_id ?? '');
  return creator ? `/profile/${creator.username}` : null;
}

export function presentCounterpart(person: Person | undefined) {
  return person ? { id: person.id, username: person.username, name: person.name, avatarUrl: person.avatarUrl } : null;
}

export function presentLine(row: LineRow, names: Names): z.input<typeof transaction> {
  return {
    id: row.id,
    createdAt: row.at.toISOString(),
    type: row.type,
    amount: toUsd(row.cents),
    balance: toUsd(row.balance_cents),
    ...wordsOf(row, names),
    counterpart: presentCounterpart(names.people.get(row.creator_id ?? '')),
    href: hrefOf(row, names),
  };
}

/** The last line on the page before, or above all lines. */
function beforeLine(after: string | undefined): number {
  if (after === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^\d{1,15}$/.test(after)) throw invalid('offset', 'Invalid offset');
  return Number(after);
}

/** Every movement of the actor's own balance, newest first. */
export async function viewTransactions(
  ctx: Context,
  actor: Actor,
  { limit, offset, type, minAmount }: QueryOf<typeof transactionHistory>,
): Promise<AnswerOf<typeof transactionHistory>> {
  const { skip, after } = readOffset(offset);
  const filter = { type: type ?? null, minCents: centsAtLeast(minAmount) };
  const page = { beforeLine: beforeLine(after), skip, limit: limit + 1 };
  const { rows, total } = await readStatement(ctx.db, account.wallet(actor.userId), filter, page);
  const shown = rows.slice(0, limit);
  const names = await namesOf(ctx, shown);
  const last = shown.at(-1);
  return {
    data: shown.map((row) => presentLine(row, names)),
    limit,
    totalCount: total,
    ...(rows.length > limit && last && { nextOffset: cursorOf(String(last.line).padStart(6, '0')) }),
  };
}

/** The least whole cents that are no less than an amount in USD; 0 when there is none. */
export function centsAtLeast(usd: number | undefined): number {
  return usd === undefined ? 0 : Math.ceil(Math.round(usd * 10_000) / 100);
}

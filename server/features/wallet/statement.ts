import { callReceiptPath, postPath, profilePath } from '@stagedoor/contract/addresses.ts';
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { asCents, formatCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { saleLink } from '@stagedoor/contract/money-kinds.ts';
import type { getWallet, transaction, transactionHistory } from '@stagedoor/contract/wallet.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import { cursorOf, readOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople, type Person } from '../accounts/index.ts';
import { debtParts } from '../ledger/index.ts';
import { cardWords, centsAtLeast, type DepositRow, depositsByTransactions, presentDebt } from '../payments/index.ts';
import { listStatement, type Place, type Sale, type StatementLine, walletOf } from '../sales/index.ts';
import { type MovedCall, type MovedCalls, movedCalls } from './calls.ts';
import { postTitles } from './posts.ts';

export async function viewWallet(ctx: Context, actor: Actor): Promise<AnswerOf<typeof getWallet>> {
  const view = await walletOf(ctx.db, actor.userId, ctx.clock.now());
  return {
    available: toUsd(view.availableCents),
    depositRevision: view.balanceLine,
    held: toUsd(view.heldCents),
    spentToday: toUsd(view.spentTodayCents),
    dailyLimit: toUsd(view.dailyLimitCents),
    ...presentDebt(view, view.owedCents > 0 ? await debtParts(ctx.db, actor.userId) : []),
  };
}

type SaleSides = Pick<Sale, 'fanId' | 'creatorId' | 'subjectId'>;

export type Names = { people: ReadonlyMap<string, Person>; posts: ReadonlyMap<string, string> };

export async function namesOf(ctx: { db: Executor }, sales: readonly SaleSides[]): Promise<Names> {
  const [people, posts] = await Promise.all([
    findPeople(
      ctx.db,
      sales.flatMap(({ fanId, creatorId }) => [fanId, creatorId]),
    ),
    postTitles(
      ctx,
      sales.map(({ subjectId }) => subjectId),
    ),
  ]);
  return { people, posts };
}

const PLACES: Readonly<Record<string, string>> = { profile: 'on profile', chat: 'in chat', call: 'in a call' };

export function tipPlace({ tipType, subjectId }: Pick<Sale, 'tipType' | 'subjectId'>, { posts }: Names): string {
  if (tipType === 'profile' && subjectId !== null) return 'toward tip goal';
  if (tipType !== 'post') return PLACES[tipType ?? ''] ?? '';
  const title = posts.get(subjectId ?? '');
  return title ? `on “${title}”` : 'on a post';
}

export function saleTitle({ title, isOnce, subjectId }: Sale, { posts }: Names): string {
  return (isOnce && posts.get(subjectId ?? '')) || title;
}

type Words = { title: string; detail: string };

function saleWords(sale: Sale, names: Names): Words {
  const creator = `${saleLink(sale.kind, sale.isOnce)} ${names.people.get(sale.creatorId)?.name ?? 'a creator'}`;
  if (sale.isOnce) return { title: saleTitle(sale, names), detail: creator };
  const detail = sale.kind === 'call' && sale.note !== '' ? sale.note : tipPlace(sale, names);
  return { title: `${sale.title} ${creator}`, detail };
}

export function isRefund({ sale, transactionId }: StatementLine): boolean {
  return sale !== null && sale.id !== transactionId;
}

function depositTitle({ title }: StatementLine, deposit: DepositRow | undefined): string {
  if (!deposit) return title;
  return `${title}, ${deposit.credits === null ? formatCents(deposit.amount_cents) : `${deposit.credits} credits`}`;
}

const CALL_WORDS = { video: 'Video call', audio: 'Voice call' } as const;

export function callCost({ kind, chargedCents, isOver }: MovedCall): string {
  const cost = chargedCents > 0 ? `cost ${formatCents(asCents(chargedCents))}` : 'free';
  return `${CALL_WORDS[kind]}, ${isOver ? cost : 'in progress'}`;
}

function callWords({ sale, title }: StatementLine, { kind, creatorId }: MovedCall, { people }: Names): Words {
  const who = `with ${people.get(creatorId)?.name ?? 'a creator'}`;
  if (!sale) return { title, detail: `${CALL_WORDS[kind].toLowerCase()} ${who}` };
  return { title: `${CALL_WORDS[kind]} ${who}`, detail: `${sale.note}, cost ${formatCents(sale.grossCents)}` };
}

function wordsOf(
  line: StatementLine,
  deposit: DepositRow | undefined,
  names: Names,
  call: MovedCall | undefined,
): Words {
  if (call) return callWords(line, call, names);
  const { sale, title, ofTitle, type, amountCents, owedCents, depositTransactionId } = line;
  if (sale) {
    const words = saleWords(sale, names);
    return isRefund(line) ? { title: `${title}: ${words.title}`, detail: 'refunded to your balance' } : words;
  }
  const card = (deposit && cardWords(deposit)) ?? 'by card';
  if (type === 'deposit') return { title: depositTitle(line, deposit), detail: card };
  if (depositTransactionId !== null) return { title, detail: ofTitle === null ? card : `${ofTitle}, ${card}` };
  return { title, detail: amountCents === 0 && owedCents < 0 ? `${formatCents(-owedCents)} of your balance` : '' };
}

export function saleHref(
  { kind, subjectId, tipType }: Pick<Sale, 'kind' | 'subjectId' | 'tipType'>,
  side: 'fan' | 'creator',
): string | null {
  if (kind === 'chat') return `/${side}/chat`;
  if (kind === 'call' && subjectId !== null) return callReceiptPath(side, subjectId);
  return subjectId !== null && (kind === 'post' || tipType === 'post') ? postPath(subjectId) : null;
}

export function presentCounterpart(person: Person | undefined) {
  return person ? { id: person.id, username: person.username, name: person.name, avatarUrl: person.avatarUrl } : null;
}

function presentCall({ id, kind, talkedMs, isOver, ...cents }: MovedCall): z.input<typeof transaction>['call'] {
  const { rateCents, heldCents, chargedCents, givenBackCents } = cents;
  return {
    ...{ id, kind, isOver, seconds: Math.floor(talkedMs / 1000), rate: toUsd(asCents(rateCents)) },
    ...{ held: toUsd(asCents(heldCents)), charged: toUsd(asCents(chargedCents)) },
    released: isOver ? toUsd(asCents(heldCents - chargedCents)) : 0,
    givenBack: toUsd(asCents(givenBackCents)),
  };
}

export function presentLine(
  line: StatementLine,
  deposit: DepositRow | undefined,
  names: Names,
  call?: MovedCall,
): z.input<typeof transaction> {
  const creator = names.people.get(line.sale?.creatorId ?? call?.creatorId ?? '');
  return {
    id: line.transactionId,
    createdAt: line.createdAt.toISOString(),
    type: line.type,
    amount: toUsd(line.amountCents),
    owed: toUsd(line.owedCents),
    balance: toUsd(line.balanceCents),
    ...wordsOf(line, deposit, names, call),
    counterpart: presentCounterpart(creator),
    href: call
      ? callReceiptPath('fan', call.id)
      : ((line.sale && saleHref(line.sale, 'fan')) ?? (creator ? profilePath(creator.username) : null)),
    call: call ? presentCall(call) : null,
  };
}

function depositOf({ sale, transactionId, depositTransactionId }: StatementLine): string | undefined {
  return sale ? undefined : (depositTransactionId ?? transactionId);
}

export async function presentLines(
  ctx: { db: Executor },
  lines: readonly StatementLine[],
  calls: MovedCalls = new Map(),
) {
  const [names, deposits] = await Promise.all([
    namesOf(ctx, [
      ...lines.flatMap(({ sale }) => sale ?? []),
      ...[...calls.values()].map((call) => ({ ...call, subjectId: null })),
    ]),
    depositsByTransactions(
      ctx.db,
      lines.flatMap((line) => depositOf(line) ?? []),
    ),
  ]);
  const byTransaction = new Map(deposits.map((deposit) => [deposit.transaction_id, deposit]));
  const views = lines.map((line) =>
    presentLine(line, byTransaction.get(depositOf(line) ?? null), names, calls.get(line.transactionId)),
  );
  return { views, names };
}

function placeOf(after: string | undefined): Place | undefined {
  if (after === undefined) return undefined;
  const [, line, owedLine] = /^(\d{1,15})\.(\d{1,15})$/.exec(after) ?? [];
  if (!line || !owedLine) throw invalid('offset', 'Invalid offset');
  return { line: Number(line), owedLine: Number(owedLine) };
}

export async function viewTransactions(
  ctx: Context,
  actor: Actor,
  { limit, offset, type, minAmount }: QueryOf<typeof transactionHistory>,
): Promise<AnswerOf<typeof transactionHistory>> {
  const { skip, after } = readOffset(offset);
  const { lines, totalCount } = await listStatement(ctx.db, actor.userId, {
    limit: limit + 1,
    skip,
    cursor: placeOf(after),
    type,
    minAmountCents: centsAtLeast(minAmount),
  });
  const shown = lines.slice(0, limit);
  const calls = await movedCalls(
    ctx,
    shown.map(({ transactionId }) => transactionId),
  );
  const { views } = await presentLines(ctx, shown, calls);
  const last = shown.at(-1);
  // Cursors have a minimum length (contract/atoms/paging.ts).
  const next =
    lines.length > limit && last
      ? { nextOffset: cursorOf(`${String(last.line).padStart(6, '0')}.${last.owedLine}`) }
      : {};
  return { data: views, limit, totalCount, ...next };
}

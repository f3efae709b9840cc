import { getSalePreposition } from '@stagedoor/contract/commerce/money-kinds.ts';
import type { getTransactionHistory, getWallet, walletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { callReceiptPath, postPath, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { asCents, formatCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { parseOffset, toCursor } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { presentDebt } from '../../commerce/debts/index.ts';
import {
  type DepositRow,
  formatCardLabel,
  listDepositsByTransactions,
  toCentsRoundedUp,
} from '../../commerce/deposits/index.ts';
import {
  getFanWallet,
  listStatement,
  type Sale,
  type StatementCursor,
  type StatementLine,
  type StatementRow,
} from '../../commerce/sales/index.ts';
import { loadPeriodTierNames } from '../../content/subscriptions/index.ts';
import { findUserSummaries, type UserSummary } from '../../identity/accounts/index.ts';
import { listDebtParts } from '../../ledger/ledger/index.ts';
import { loadPostTitles } from './posts.ts';
import * as texts from './texts.ts';
import { type CallsByTransaction, findTransactionCalls, type TransactionCall } from './transaction-calls.ts';

export async function viewWallet(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof getWallet>> {
  const view = await getFanWallet(ctx.db, actor.userId, ctx.clock.now());
  return {
    available: toUsd(view.availableCents),
    depositRevision: view.balanceLine,
    held: toUsd(view.heldCents),
    spentToday: toUsd(view.spentTodayCents),
    dailyLimit: toUsd(view.dailyLimitCents),
    ...presentDebt(view, view.owedCents > 0 ? await listDebtParts(ctx.db, actor.userId) : []),
  };
}

type SaleSides = Pick<Sale, 'fanId' | 'creatorId' | 'subjectId'>;

/** `tiers` are the names of tiers by the period that was paid. */
export type DisplayNames = {
  users: ReadonlyMap<string, UserSummary>;
  posts: ReadonlyMap<string, string>;
  tiers: ReadonlyMap<string, string>;
};

export async function loadDisplayNames(ctx: { db: Executor }, sales: readonly SaleSides[]): Promise<DisplayNames> {
  const subjectIds = sales.map(({ subjectId }) => subjectId);
  const [users, posts, tiers] = await Promise.all([
    findUserSummaries(
      ctx.db,
      sales.flatMap(({ fanId, creatorId }) => [fanId, creatorId]),
    ),
    loadPostTitles(ctx, subjectIds),
    loadPeriodTierNames(ctx.db, subjectIds),
  ]);
  return { users, posts, tiers };
}

const TIP_LOCATIONS: Readonly<Record<string, string>> = { profile: 'on profile', chat: 'in chat', call: 'in a call' };

export function formatTipLocation(
  { tipType, subjectId }: Pick<Sale, 'tipType' | 'subjectId'>,
  { posts }: DisplayNames,
): string {
  if (tipType === 'profile' && subjectId !== null) return 'toward tip goal';
  if (tipType !== 'post') return TIP_LOCATIONS[tipType ?? ''] ?? '';
  const title = posts.get(subjectId ?? '');
  return title ? formatText(texts.onPost, { title }) : 'on a post';
}

export function formatSaleTitle({ title, isOnce, subjectId }: Sale, { posts, tiers }: DisplayNames): string {
  const tierName = tiers.get(subjectId ?? '');
  if (tierName !== undefined) return formatText(texts.tierSubscription, { tierName });
  return (isOnce && posts.get(subjectId ?? '')) || title;
}

type LineLabel = { title: string; detail: string };

function describeSale(sale: Sale, names: DisplayNames): LineLabel {
  const creator = `${getSalePreposition(sale.kind, sale.isOnce)} ${names.users.get(sale.creatorId)?.name ?? 'a creator'}`;
  if (sale.isOnce) return { title: formatSaleTitle(sale, names), detail: creator };
  const detail = sale.kind === 'call' && sale.note !== '' ? sale.note : formatTipLocation(sale, names);
  return { title: `${sale.title} ${creator}`, detail };
}

export function isRefund({ sale, transactionId }: StatementLine): boolean {
  return sale !== null && sale.id !== transactionId;
}

function formatDepositTitle({ title }: StatementLine, deposit: DepositRow | undefined): string {
  if (!deposit) return title;
  return `${title}, ${deposit.credits === null ? formatCents(deposit.amount_cents) : formatText(texts.creditsCount, { count: deposit.credits })}`;
}

const CALL_LABELS = { video: texts.videoCall, audio: texts.voiceCall } as const;

export function formatCallCost({ kind, chargedCents, isOver }: TransactionCall): string {
  const cost = chargedCents > 0 ? formatText(texts.callCost, { price: formatCents(asCents(chargedCents)) }) : 'free';
  return `${CALL_LABELS[kind]}, ${isOver ? cost : 'in progress'}`;
}

function describeCall(
  { sale, title }: StatementLine,
  { kind, creatorId }: TransactionCall,
  { users }: DisplayNames,
): LineLabel {
  const withCreator = `with ${users.get(creatorId)?.name ?? 'a creator'}`;
  if (!sale) return { title, detail: `${CALL_LABELS[kind].toLowerCase()} ${withCreator}` };
  return {
    title: `${CALL_LABELS[kind]} ${withCreator}`,
    detail: formatText(texts.callNoteAndCost, { note: sale.note, price: formatCents(sale.grossCents) }),
  };
}

const isHold = (line: StatementLine | StatementRow): line is StatementRow => 'hold' in line && line.hold !== null;

function describeHold(line: StatementRow, call: TransactionCall, { users }: DisplayNames): LineLabel {
  return {
    title: `${CALL_LABELS[call.kind]} with ${users.get(call.creatorId)?.name ?? 'a creator'}`,
    detail: line.type === 'hold' ? texts.callInProgress : formatCallCost(call),
  };
}

function describeLine(
  line: StatementLine | StatementRow,
  deposit: DepositRow | undefined,
  names: DisplayNames,
  call: TransactionCall | undefined,
): LineLabel {
  if (call) return isHold(line) ? describeHold(line, call, names) : describeCall(line, call, names);
  const { sale, title, causeTitle, type, amountCents, owedCents, depositTransactionId } = line;
  if (sale) {
    const label = describeSale(sale, names);
    return isRefund(line) ? { title: `${title}: ${label.title}`, detail: 'refunded to your balance' } : label;
  }
  const card = (deposit && formatCardLabel(deposit)) ?? 'by card';
  if (type === 'deposit') return { title: formatDepositTitle(line, deposit), detail: card };
  if (depositTransactionId !== null) return { title, detail: causeTitle === null ? card : `${causeTitle}, ${card}` };
  return {
    title,
    detail:
      amountCents === 0 && owedCents < 0
        ? formatText(texts.debtPaidFromBalance, { debt: formatCents(-owedCents) })
        : '',
  };
}

export function getSaleHref(
  { kind, subjectId, tipType }: Pick<Sale, 'kind' | 'subjectId' | 'tipType'>,
  side: 'fan' | 'creator',
): string | null {
  if (kind === 'chat') return `/${side}/chat`;
  if (kind === 'call' && subjectId !== null) return callReceiptPath(side, subjectId);
  return subjectId !== null && (kind === 'post' || tipType === 'post') ? postPath(subjectId) : null;
}

export function presentOtherUser(user: UserSummary | undefined) {
  return user ? { id: user.id, username: user.username, name: user.name, avatarUrl: user.avatarUrl } : null;
}

function presentCall({
  id,
  kind,
  connectedMs,
  isOver,
  reason,
  ...cents
}: TransactionCall): z.input<typeof walletTransaction>['call'] {
  const { rateCents, heldCents, chargedCents, refundedCents } = cents;
  return {
    ...{ id, kind, isOver, reason, seconds: Math.floor(connectedMs / 1000), rate: toUsd(asCents(rateCents)) },
    ...{ held: toUsd(asCents(heldCents)), charged: toUsd(asCents(chargedCents)) },
    released: isOver ? toUsd(asCents(heldCents - chargedCents)) : 0,
    refunded: toUsd(asCents(refundedCents)),
  };
}

export function presentLine(
  line: StatementLine | StatementRow,
  deposit: DepositRow | undefined,
  names: DisplayNames,
  call?: TransactionCall,
): z.input<typeof walletTransaction> {
  const creator = names.users.get(line.sale?.creatorId ?? call?.creatorId ?? '');
  return {
    id: line.transactionId,
    createdAt: line.createdAt.toISOString(),
    type: line.type,
    amount: toUsd(line.amountCents),
    owed: toUsd(line.owedCents),
    balance: toUsd(line.balanceCents),
    ...describeLine(line, deposit, names, call),
    otherUser: presentOtherUser(creator),
    href: call
      ? callReceiptPath('fan', call.id)
      : ((line.sale && getSaleHref(line.sale, 'fan')) ?? (creator ? profilePath(creator.username) : null)),
    call: call ? presentCall(call) : null,
  };
}

function getDepositTransactionId({ sale, transactionId, depositTransactionId }: StatementLine): string | undefined {
  return sale ? undefined : (depositTransactionId ?? transactionId);
}

export async function presentLines(
  ctx: { db: Executor },
  lines: readonly (StatementLine | StatementRow)[],
  calls: CallsByTransaction = new Map(),
) {
  const [names, deposits] = await Promise.all([
    loadDisplayNames(ctx, [
      ...lines.flatMap(({ sale }) => sale ?? []),
      ...[...calls.values()].map((call) => ({ ...call, subjectId: null })),
    ]),
    listDepositsByTransactions(
      ctx.db,
      lines.flatMap((line) => getDepositTransactionId(line) ?? []),
    ),
  ]);
  const byTransaction = new Map(deposits.map((deposit) => [deposit.transaction_id, deposit]));
  const views = lines.map((line) =>
    presentLine(line, byTransaction.get(getDepositTransactionId(line) ?? null), names, calls.get(line.transactionId)),
  );
  return { views, names };
}

function parseCursor(after: string | undefined): StatementCursor | undefined {
  if (after === undefined) return undefined;
  const [, line, owedLine] = /^(\d{1,15})\.(\d{1,15})$/.exec(after) ?? [];
  if (!line || !owedLine) throw createFieldError('offset', texts.invalidOffset);
  return { line: Number(line), owedLine: Number(owedLine) };
}

export async function viewTransactions(
  ctx: Context,
  actor: Actor,
  { limit, offset, type, minAmount }: QueryOf<typeof getTransactionHistory>,
): Promise<ResponseInputOf<typeof getTransactionHistory>> {
  const { skip, after } = parseOffset(offset);
  const { rows, totalCount } = await listStatement(ctx.db, actor.userId, {
    limit: limit + 1,
    skip,
    cursor: parseCursor(after),
    type,
    minAmountCents: toCentsRoundedUp(minAmount),
  });
  const shown = rows.slice(0, limit);
  const calls = await findTransactionCalls(
    ctx,
    shown.flatMap(({ hold, transactionId }) => (hold ? [transactionId] : [])),
  );
  const { views } = await presentLines(ctx, shown, calls);
  const last = shown.at(-1);
  // Cursors have a minimum length (contract/shared/paging.ts).
  const next =
    rows.length > limit && last
      ? { nextOffset: toCursor(`${String(last.line).padStart(6, '0')}.${last.owedLine}`) }
      : {};
  return { data: views, limit, totalCount, ...next };
}

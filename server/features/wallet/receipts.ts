import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { formatCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { MONEY_KINDS } from '@stagedoor/contract/money-kinds.ts';
import type { getReceipt } from '@stagedoor/contract/wallet.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import type { Sale, StatementLine } from '../sales/index.ts';
import { accessOwnLine, accessOwnSale } from './access.ts';
import { movedCalls } from './calls.ts';
import {
  isRefund,
  type Names,
  namesOf,
  presentCounterpart,
  presentLines,
  saleHref,
  saleTitle,
  tipPlace,
} from './statement.ts';

type Receipt = AnswerOf<typeof getReceipt>;

function splitOf({ grossCents, feeCents, netCents, feePercent }: Sale): Receipt['split'] {
  return { gross: toUsd(grossCents), platformFee: toUsd(feeCents), feePercent, creator: toUsd(netCents) };
}

function fact(label: string, value: string | null | undefined): Receipt['lines'] {
  return value ? [{ label, value }] : [];
}

function timeText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function saleFacts(sale: Sale, names: Names, other: { label: string; id: string }): Receipt['lines'] {
  return [
    ...fact('Item', saleTitle(sale, names)),
    ...fact('Where', sale.isOnce ? null : tipPlace(sale, names)),
    ...fact(other.label, names.people.get(other.id)?.name),
    ...fact(sale.kind === 'call' ? 'Call' : 'Note', sale.note),
    ...fact('Refunded', sale.reversedCents > 0 ? formatCents(sale.reversedCents) : null),
  ];
}

function lastFacts(id: string, at: Date): Receipt['lines'] {
  return [...fact('When', timeText(at)), ...fact('Transaction', id)];
}

async function fanReceipt(ctx: Context, line: StatementLine): Promise<Receipt> {
  const { views, names } = await presentLines(ctx, [line], await movedCalls(ctx, [line.transactionId]));
  const [view] = views;
  if (!view) throw new AppError('NOT_FOUND');
  const { sale } = line;
  const facts = sale
    ? saleFacts(sale, names, { label: 'To', id: sale.creatorId })
    : [
        ...fact('Item', view.title),
        ...fact(view.call || line.ofTitle !== null ? 'For' : 'Card', view.detail),
        ...fact('Owed', line.owedCents === 0 ? null : formatCents(line.owedCents, { sign: true })),
      ];
  return {
    ...view,
    lines: [...facts, ...lastFacts(line.transactionId, line.createdAt)],
    split: sale && !isRefund(line) ? splitOf(sale) : null,
  };
}

/** The receipt of the creator contains their share, but not the balance of the fan. */
async function creatorReceipt(ctx: Context, sale: Sale): Promise<Receipt> {
  const names = await namesOf(ctx, [sale]);
  const fan = names.people.get(sale.fanId);
  const who = fan?.name ?? 'a fan';
  return {
    id: sale.id,
    createdAt: sale.createdAt.toISOString(),
    type: MONEY_KINDS[sale.kind]?.type ?? 'other',
    amount: toUsd(sale.netCents - sale.reversedNetCents),
    owed: 0,
    balance: 0,
    title: sale.isOnce ? saleTitle(sale, names) : `${sale.title} from ${who}`,
    detail: sale.isOnce ? `unlocked by ${who}` : tipPlace(sale, names),
    counterpart: presentCounterpart(fan),
    href: saleHref(sale, 'creator'),
    call: null,
    lines: [
      ...saleFacts(sale, names, { label: 'From', id: sale.fanId }),
      ...fact(sale.clearedAt ? 'Available since' : 'Clears', timeText(sale.clearedAt ?? sale.clearsAt)),
      ...lastFacts(sale.id, sale.createdAt),
    ],
    split: splitOf(sale),
  };
}

/** Throws NOT_FOUND for everyone except the two sides. */
export async function viewReceipt(ctx: Context, actor: Actor, id: string): Promise<Receipt> {
  if (actor.type === 'creator') return creatorReceipt(ctx, await accessOwnSale(ctx.db, actor, id));
  return fanReceipt(ctx, await accessOwnLine(ctx.db, actor, id));
}

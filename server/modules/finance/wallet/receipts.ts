import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import type { getReceipt } from '@stagedoor/contract/finance/wallet.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import type { Sale, StatementLine } from '../../commerce/sales/index.ts';
import { accessOwnLine, accessOwnSale } from './access.ts';
import {
  type DisplayNames,
  formatSaleTitle,
  formatTipLocation,
  getSaleHref,
  isRefund,
  loadDisplayNames,
  presentLines,
  presentOtherUser,
} from './statement.ts';
import * as texts from './texts.ts';
import { findTransactionCalls } from './transaction-calls.ts';

type ReceiptResponse = ResponseInputOf<typeof getReceipt>;

function toSplit({ grossCents, feeCents, netCents, feePercent }: Sale): ReceiptResponse['split'] {
  return { gross: toUsd(grossCents), platformFee: toUsd(feeCents), feePercent, creator: toUsd(netCents) };
}

function toReceiptLines(label: string, value: string | null | undefined): ReceiptResponse['lines'] {
  return value ? [{ label, value }] : [];
}

function toTimeLine(label: string, at: Date): ReceiptResponse['lines'][number] {
  const iso = at.toISOString();
  return { label, value: formatText(texts.utcTime, { time: iso.slice(0, 16).replace('T', ' ') }), at: iso };
}

function listSaleLines(
  sale: Sale,
  names: DisplayNames,
  other: { label: string; id: string },
): ReceiptResponse['lines'] {
  return [
    ...toReceiptLines('Item', formatSaleTitle(sale, names)),
    ...toReceiptLines('Where', sale.isOnce ? null : formatTipLocation(sale, names)),
    ...toReceiptLines(other.label, names.users.get(other.id)?.name),
    ...toReceiptLines(sale.kind === 'call' ? 'Call' : 'Note', sale.note),
    ...toReceiptLines('Refunded', sale.reversedCents > 0 ? formatCents(sale.reversedCents) : null),
  ];
}

function listLastLines(id: string, at: Date): ReceiptResponse['lines'] {
  return [toTimeLine('When', at), ...toReceiptLines('Transaction', id)];
}

async function presentFanReceipt(ctx: Context, line: StatementLine): Promise<ReceiptResponse> {
  const { views, names } = await presentLines(ctx, [line], await findTransactionCalls(ctx, [line.transactionId]));
  const [view] = views;
  if (!view) throw new AppError('NOT_FOUND');
  const { sale } = line;
  const firstLines = sale
    ? listSaleLines(sale, names, { label: 'To', id: sale.creatorId })
    : [
        ...toReceiptLines('Item', view.title),
        ...toReceiptLines(view.call || line.causeTitle !== null ? 'For' : 'Card', view.detail),
        ...toReceiptLines('Owed', line.owedCents === 0 ? null : formatCents(line.owedCents, { sign: true })),
      ];
  return {
    ...view,
    lines: [...firstLines, ...listLastLines(line.transactionId, line.createdAt)],
    split: sale && !isRefund(line) ? toSplit(sale) : null,
  };
}

/** The receipt of the creator contains their share, but not the balance of the fan. */
async function presentCreatorReceipt(ctx: Context, sale: Sale): Promise<ReceiptResponse> {
  const names = await loadDisplayNames(ctx, [sale]);
  const fan = names.users.get(sale.fanId);
  const fanName = fan?.name ?? 'a fan';
  return {
    id: sale.id,
    createdAt: sale.createdAt.toISOString(),
    type: MONEY_KINDS[sale.kind]?.type ?? 'other',
    amount: toUsd(sale.netCents - sale.reversedNetCents),
    owed: 0,
    balance: 0,
    title: sale.isOnce ? formatSaleTitle(sale, names) : formatText(texts.saleFromFan, { title: sale.title, fanName }),
    detail: sale.isOnce
      ? formatText(sale.kind === 'subscription' ? texts.subscribedBy : texts.unlockedBy, { fanName })
      : formatTipLocation(sale, names),
    otherUser: presentOtherUser(fan),
    href: getSaleHref(sale, 'creator'),
    call: null,
    lines: [
      ...listSaleLines(sale, names, { label: 'From', id: sale.fanId }),
      toTimeLine(sale.clearedAt ? texts.availableSince : 'Clears', sale.clearedAt ?? sale.clearsAt),
      ...listLastLines(sale.id, sale.createdAt),
    ],
    split: toSplit(sale),
  };
}

/** Throws NOT_FOUND for everyone except the two sides. */
export async function viewTransactionReceipt(ctx: Context, actor: Actor, id: string): Promise<ReceiptResponse> {
  if (actor.type === 'creator') return presentCreatorReceipt(ctx, await accessOwnSale(ctx.db, actor, id));
  return presentFanReceipt(ctx, await accessOwnLine(ctx.db, actor, id));
}

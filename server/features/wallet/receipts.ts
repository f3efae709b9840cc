/** Receipts: one movement with its facts, for the fan whose wallet it moved and, of a sale, for the creator who got it. */
import { formatCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { getReceipt } from '@stagedoor/contract/wallet.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { accessLine } from './access.ts';
import { type Names, namesOf, presentCounterpart, presentLine, tipPlace } from './statement.ts';
import type { LineRow } from './statement-store.ts';

type Receipt = AnswerOf<typeof getReceipt>;

function splitOf(row: LineRow): Receipt['split'] {
  const { gross_cents: gross, fee_cents: fee, fee_basis_points: basisPoints } = row;
  if (gross === null || fee === null || basisPoints === null) return null;
  return { gross: toUsd(gross), platformFee: toUsd(fee), feePercent: basisPoints / 100, creator: toUsd(gross - fee) };
}

function line(label: string, value: string | null | undefined): { label: string; value: string }[] {
  return value ? [{ label, value }] : [];
}

/** `2026-11-18 12:00 UTC`. */
function timeText(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function linesOf(row: LineRow, names: Names, isSeller: boolean): Receipt['lines'] {
  const post = names.posts.get(row.subject_id ?? '');
  const place = row.sale_kind === 'tip' ? tipPlace(row, names) : null;
  const returned = row.sale_reversed_cents ?? 0;
  return [
    ...line(
      'What',
      row.sale_kind === 'tip' ? 'Tip' : row.sale_kind === 'post' ? 'Post' : presentLine(row, names).title,
    ),
    ...line('Post', row.sale_kind === 'post' ? post : null),
    ...line('Where', place),
    ...line('Card', row.sale_kind === null ? presentLine(row, names).detail : null),
    ...line(isSeller ? 'From' : 'To', names.people.get((isSeller ? row.fan_id : row.creator_id) ?? '')?.name),
    ...line('Note', row.note),
    ...line('Given back', returned > 0 ? formatCents(returned) : null),
    ...line('When', timeText(row.at)),
    ...line('Transaction', row.id),
  ];
}

/** How a sale reads for who got it: their share, and not the fan's balance. */
function sellerView(row: LineRow, names: Names): Omit<Receipt, 'lines' | 'split'> {
  const view = presentLine(row, names);
  const fan = names.people.get(row.fan_id ?? '');
  const net = (row.gross_cents ?? 0) - (row.fee_cents ?? 0);
  const isTip = row.sale_kind === 'tip';
  return {
    ...view,
    amount: toUsd(net),
    balance: 0,
    title: isTip ? `Tip from ${fan?.name ?? 'a fan'}` : view.title,
    detail: isTip ? tipPlace(row, names) : `bought by ${fan?.name ?? 'a fan'}`,
    counterpart: presentCounterpart(fan),
    href: row.subject_id === null ? null : `/post/${row.subject_id}`,
  };
}

/** A receipt. Throws NOT_FOUND for everybody but the two sides. */
export async function viewReceipt(ctx: Context, actor: Actor, id: string): Promise<Receipt> {
  const row = await accessLine(ctx.db, actor, id);
  const names = await namesOf(ctx, [row]);
  const isSeller = row.owner_id !== actor.userId;
  const view = isSeller ? sellerView(row, names) : presentLine(row, names);
  return { ...view, lines: linesOf(row, names, isSeller), split: splitOf(row) };
}

import type { getLedgerTransaction, LedgerUser } from '@stagedoor/contract/admin/ledger.ts';
import { OTHER_TRANSACTION_TITLE } from '@stagedoor/contract/commerce/money-kinds.ts';
import { postPath } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { transactionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { formatCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { listDepositsByTransactions } from '../../commerce/deposits/index.ts';
import { findSale, type Sale } from '../../commerce/sales/index.ts';
import { findPayoutByNumberOrId } from '../../finance/payouts/index.ts';
import {
  findTransaction,
  type LedgerTransaction,
  type LinkedTransaction,
  listLegs,
} from '../../ledger/ledger/index.ts';
import { createJournalProofs } from '../../trust/transparency-log/index.ts';
import { formatAccountLabel } from './account-labels.ts';
import * as texts from './texts.ts';
import { loadLedgerUsers, logView } from './users.ts';

type TransactionView = ResponseInputOf<typeof getLedgerTransaction>;
type DetailList = TransactionView['details'];
type Leg = Awaited<ReturnType<typeof listLegs>>[number];
type UsersById = ReadonlyMap<string, LedgerUser>;

const formatUsername = (users: UsersById, id: string) => `@${users.get(id)?.username ?? id}`;
const toDetail = (name: string, value: string | number | null | undefined): DetailList =>
  value === null || value === undefined || value === '' ? [] : [{ name, value: String(value) }];
const formatUtcMinute = (at: Date) =>
  formatText(texts.utcTime, { time: at.toISOString().slice(0, 16).replace('T', ' ') });

/** A debit increases asset and expense accounts, a credit increases the others. */
const isIncrease = (code: string, cents: number) => /^(?:asset|exp):/.test(code) === cents > 0;

function describeTransaction(legs: readonly Leg[], sale: Sale | undefined, users: UsersById): string {
  if (sale) {
    const [fan, creator] = [formatUsername(users, sale.fanId), formatUsername(users, sale.creatorId)];
    const [gross, fee, net] = [sale.grossCents, sale.feeCents, sale.netCents].map((cents) => formatCents(cents));
    return `${fan} paid ${gross} to ${creator}: ${sale.title}. The platform keeps ${fee} of it, ${creator} gets ${net}.`;
  }
  const parts = legs.map(({ code, ownerId, cents }) => {
    const ownerText = ownerId === null ? '' : formatText(texts.accountOwner, { owner: formatUsername(users, ownerId) });
    return {
      isIncrease: isIncrease(code, cents),
      text: `“${formatAccountLabel(code)}”${ownerText} ${formatCents(Math.abs(cents))}`,
    };
  });
  const pickTexts = (isIncreased: boolean) =>
    parts.filter((part) => part.isIncrease === isIncreased).map(({ text }) => text);
  return [['Less:', pickTexts(false)] as const, ['More:', pickTexts(true)] as const]
    .flatMap(([head, text]) => (text.length === 0 ? [] : `${head} ${text.join(', ')}.`))
    .join(' ');
}

function listSaleDetails(sale: Sale | undefined): DetailList {
  if (!sale) return [];
  return [
    ...toDetail('Fee', `${sale.feePercent}%`),
    ...toDetail('Note', sale.note),
    ...toDetail('Bought', sale.subjectId),
    ...toDetail('Refunded', sale.reversedCents > 0 ? formatCents(sale.reversedCents) : null),
    ...toDetail(sale.clearedAt ? 'Cleared' : 'Clears', formatUtcMinute(sale.clearedAt ?? sale.clearsAt)),
  ];
}

async function listDetails({ db }: Context, transaction: LedgerTransaction, users: UsersById): Promise<DetailList> {
  const { actorId, operationId, provider, ref, eventKey, cleared, metadata } = transaction;
  const metadataEntries = Object.entries(metadata ?? {}).filter(([, value]) => value !== null);
  const payoutId = metadataEntries.find(([name]) => name === 'payout')?.[1];
  const payout = typeof payoutId === 'string' ? await findPayoutByNumberOrId(db, payoutId) : undefined;
  const [order] = await listDepositsByTransactions(db, [transaction.id]);
  return [
    ...toDetail(texts.requestedBy, actorId === null ? null : formatUsername(users, actorId)),
    ...toDetail('Operation', operationId),
    ...toDetail(
      'Payout',
      payout &&
        formatText(texts.payoutNumberAndStatus, {
          number: String(payout.number).padStart(6, '0'),
          status: payout.status,
        }),
    ),
    ...toDetail('Order', order?.order_id),
    ...toDetail('Deposit', order?.id),
    ...toDetail(texts.paidByCard, order && formatCents(order.payable_cents)),
    ...toDetail('Provider', provider),
    ...toDetail(texts.providerReference, ref),
    ...toDetail(texts.providerEvent, eventKey === ref ? null : eventKey),
    ...toDetail(texts.salesCleared, cleared > 0 ? cleared : null),
    ...metadataEntries.flatMap(([name, value]) =>
      toDetail(name, typeof value === 'object' ? JSON.stringify(value) : String(value)),
    ),
  ];
}

const toTransactionRef = ({ id, title, at }: LinkedTransaction) => ({
  id: z.parse(transactionId, id),
  title,
  at: at.toISOString(),
});

/** Throws NOT_FOUND. Views of user money are audited. */
export async function getTransaction(ctx: Context, actor: Actor, id: string): Promise<TransactionView> {
  const { db } = ctx;
  const transaction = await findTransaction(db, id);
  if (!transaction) throw new AppError('NOT_FOUND');
  const [legs, sale, [proof]] = await Promise.all([listLegs(db, id), findSale(db, id), createJournalProofs(ctx, [id])]);
  const owners = [...new Set(legs.flatMap(({ ownerId }) => ownerId ?? []))];
  if (owners.length > 0) await logView(ctx, actor, 'transaction', id);
  const users = await loadLedgerUsers(db, [...owners, ...(transaction.actorId === null ? [] : [transaction.actorId])]);
  const { subjectId, kind } = sale ?? {};
  return {
    id: z.parse(transactionId, id),
    at: transaction.at.toISOString(),
    kind: transaction.kind,
    title: transaction.title ?? OTHER_TRANSACTION_TITLE,
    label: describeTransaction(legs, sale, users),
    users: owners.flatMap((owner) => users.get(owner) ?? []),
    legs: legs.map(({ code, cents, ownerId }) => ({
      code,
      label: formatAccountLabel(code),
      owner: ownerId === null ? null : z.parse(userId, ownerId),
      amount: toUsd(cents),
    })),
    details: [...listSaleDetails(sale), ...(await listDetails(ctx, transaction, users))],
    href: kind === 'post' && subjectId ? postPath(subjectId) : null,
    reverses: transaction.reverses && toTransactionRef(transaction.reverses),
    reversedBy: transaction.reversedBy.map(toTransactionRef),
    proof: proof ?? null,
  };
}

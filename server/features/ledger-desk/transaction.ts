import { postPath } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { transactionId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { formatCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { LedgerPerson, readLedgerTransaction } from '@stagedoor/contract/ledger-desk.ts';
import { OTHER_MOVEMENT } from '@stagedoor/contract/money-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { type Brief, findTransaction, type LedgerTransaction, legsOf } from '../ledger/index.ts';
import { depositsByTransactions } from '../payments/index.ts';
import { findPayoutCalled } from '../payouts/index.ts';
import { findSale, type Sale } from '../sales/index.ts';
import { provePlaces } from '../transparency/index.ts';
import { noteLook, peopleBy } from './people.ts';
import { accountWords } from './words.ts';

type View = AnswerOf<typeof readLedgerTransaction>;
type Facts = View['facts'];
type Leg = Awaited<ReturnType<typeof legsOf>>[number];
type People = ReadonlyMap<string, LedgerPerson>;

const nameOf = (people: People, id: string) => `@${people.get(id)?.username ?? id}`;
const fact = (name: string, value: string | number | null | undefined): Facts =>
  value === null || value === undefined || value === '' ? [] : [{ name, value: String(value) }];
const timeText = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** A debit increases asset and expense accounts, a credit increases the others. */
const isMore = (code: string, cents: number) => /^(?:asset|exp):/.test(code) === cents > 0;

function sentenceOf(legs: readonly Leg[], sale: Sale | undefined, people: People): string {
  if (sale) {
    const [fan, creator] = [nameOf(people, sale.fanId), nameOf(people, sale.creatorId)];
    const [gross, fee, net] = [sale.grossCents, sale.feeCents, sale.netCents].map((cents) => formatCents(cents));
    return `${fan} paid ${gross} to ${creator}: ${sale.title}. The platform keeps ${fee} of it, ${creator} gets ${net}.`;
  }
  const parts = legs.map(({ code, ownerId, cents }) => {
    const whose = ownerId === null ? '' : ` of ${nameOf(people, ownerId)}`;
    return { isMore: isMore(code, cents), words: `“${accountWords(code)}”${whose} ${formatCents(Math.abs(cents))}` };
  });
  const of = (isGrown: boolean) => parts.filter((part) => part.isMore === isGrown).map(({ words }) => words);
  return [['Less:', of(false)] as const, ['More:', of(true)] as const]
    .flatMap(([head, words]) => (words.length === 0 ? [] : `${head} ${words.join(', ')}.`))
    .join(' ');
}

function saleFacts(sale: Sale | undefined): Facts {
  if (!sale) return [];
  return [
    ...fact('Fee', `${sale.feePercent}%`),
    ...fact('Note', sale.note),
    ...fact('Bought', sale.subjectId),
    ...fact('Refunded', sale.reversedCents > 0 ? formatCents(sale.reversedCents) : null),
    ...fact(sale.clearedAt ? 'Cleared' : 'Clears', timeText(sale.clearedAt ?? sale.clearsAt)),
  ];
}

async function factsOf({ db }: Context, transaction: LedgerTransaction, people: People): Promise<Facts> {
  const { actorId, operationId, provider, ref, eventKey, cleared, metadata } = transaction;
  const noted = Object.entries(metadata ?? {}).filter(([, value]) => value !== null);
  const payoutId = noted.find(([name]) => name === 'payout')?.[1];
  const payout = typeof payoutId === 'string' ? await findPayoutCalled(db, payoutId) : undefined;
  const [order] = await depositsByTransactions(db, [transaction.id]);
  return [
    ...fact('Requested by', actorId === null ? null : nameOf(people, actorId)),
    ...fact('Operation', operationId),
    ...fact('Payout', payout && `PO-${String(payout.number).padStart(6, '0')}, ${payout.status}`),
    ...fact('Order', order?.order_id),
    ...fact('Deposit', order?.id),
    ...fact('Paid by card', order && formatCents(order.payable_cents)),
    ...fact('Provider', provider),
    ...fact('Provider reference', ref),
    ...fact('Provider event', eventKey === ref ? null : eventKey),
    ...fact('Sales cleared', cleared > 0 ? cleared : null),
    ...noted.flatMap(([name, value]) => fact(name, typeof value === 'object' ? JSON.stringify(value) : String(value))),
  ];
}

const briefOf = ({ id, title, at }: Brief) => ({ id: z.parse(transactionId, id), title, at: at.toISOString() });

/** Throws NOT_FOUND. Views of user money are audited. */
export async function viewTransaction(ctx: Context, actor: Actor, id: string): Promise<View> {
  const { db } = ctx;
  const transaction = await findTransaction(db, id);
  if (!transaction) throw new AppError('NOT_FOUND');
  const [legs, sale, [proof]] = await Promise.all([legsOf(db, id), findSale(db, id), provePlaces(ctx, [id])]);
  const owners = [...new Set(legs.flatMap(({ ownerId }) => ownerId ?? []))];
  if (owners.length > 0) await noteLook(ctx, actor, 'transaction', id);
  const people = await peopleBy(db, [...owners, ...(transaction.actorId === null ? [] : [transaction.actorId])]);
  const { subjectId, kind } = sale ?? {};
  return {
    id: z.parse(transactionId, id),
    at: transaction.at.toISOString(),
    kind: transaction.kind,
    title: transaction.title ?? OTHER_MOVEMENT,
    words: sentenceOf(legs, sale, people),
    people: owners.flatMap((owner) => people.get(owner) ?? []),
    legs: legs.map(({ code, cents, ownerId }) => ({
      code,
      words: accountWords(code),
      owner: ownerId === null ? null : z.parse(userId, ownerId),
      amount: toUsd(cents),
    })),
    facts: [...saleFacts(sale), ...(await factsOf(ctx, transaction, people))],
    href: kind === 'post' && subjectId ? postPath(subjectId) : null,
    reverses: transaction.reverses && briefOf(transaction.reverses),
    reversedBy: transaction.reversedBy.map(briefOf),
    proof: proof ?? null,
  };
}

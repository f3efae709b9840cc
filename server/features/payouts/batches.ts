import { Readable } from 'node:stream';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { payoutBatchId } from '@stagedoor/contract/atoms/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, FileAnswer, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  BATCH_STATES,
  type listPayoutBatches,
  type listPayoutRails,
  RAILS,
  type Rail,
  type sendPayouts,
} from '@stagedoor/contract/payout-desk.ts';
import type { PayoutDetails } from '@stagedoor/contract/payouts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { claimOperation } from '../../kernel/operations.ts';
import { seal, unseal } from '../../kernel/seal.ts';
import { said } from '../../kernel/spreadsheet.ts';
import { noteAct } from '../audit/index.ts';
import { hashRequest } from '../ledger/index.ts';
import { requireBalance } from './desk.ts';
import { heldBack } from './gates.ts';
import { openMethod } from './methods.ts';
import { type AchEntry, achFile, effectiveAfter, modifierOf } from './nacha.ts';
import { MOST_ITEMS } from './paypal.ts';
import { numberOf } from './present.ts';
import { noteMoment } from './requests.ts';
import type * as store from './store.ts';
import { submitJob } from './submit.ts';
import * as transfers from './transfer-store.ts';
import { send } from './transfers.ts';

const KEY = 'payout files';

type View = AnswerOf<typeof sendPayouts>;

const cell = (text: string) => `"${said(text).replaceAll('"', '""')}"`;

const netOf = (row: store.PayoutRow) => row.amount_cents - row.fee_cents;

type Item = { row: store.RequestRow; details: PayoutDetails };

function listOf(items: readonly Item[]): string {
  const head = ['Number', 'USD', 'To', 'Destination', 'Bank or network', 'Type'];
  const lines = items.map(({ row, details }) => {
    const usd = (netOf(row) / 100).toFixed(2);
    const where = {
      ach: (one: PayoutDetails) => (one.kind === 'ach' ? [one.holder, one.account, one.routing, one.accountType] : []),
      paypal: (one: PayoutDetails) => (one.kind === 'paypal' ? [one.email, one.email, 'PayPal', ''] : []),
      crypto: (one: PayoutDetails) => (one.kind === 'crypto' ? [one.coin, one.address, one.network, ''] : []),
    }[details.kind](details);
    return [numberOf(row), usd, ...where];
  });
  return [head, ...lines].map((line) => `${line.map(cell).join(',')}\r\n`).join('');
}

function entryOf({ row, details }: Item): AchEntry {
  if (details.kind !== 'ach') throw new Error('only bank accounts stand in an ACH file');
  const { routing, account, accountType, holder } = details;
  const isSavings = accountType === 'Savings Account';
  return { routing, account, isSavings, cents: netOf(row), id: numberOf(row), name: holder };
}

async function payable(db: Executor, now: Date, rows: readonly store.RequestRow[]): Promise<store.RequestRow[]> {
  const held = await heldBack(db, now, rows);
  return rows.filter(({ id }) => !held.has(id));
}

function isSetUp({ config: { payouts } }: Pick<Context, 'config'>, rail: Rail): boolean {
  return !((rail === 'ach' && !payouts.ach) || (rail === 'paypal' && !payouts.payPal));
}

function requireSetUp(ctx: Context, rail: Rail): void {
  if (!isSetUp(ctx, rail))
    throw new AppError('UPSTREAM', { message: `Payouts by ${rail === 'ach' ? 'ACH' : 'PayPal'} aren’t configured.` });
}

/** Returns the payout file of a rail, encrypted because it contains full account numbers. */
async function fileOf(ctx: Context, tx: Transaction, rail: Rail, items: readonly Item[], at: Date) {
  const { ach: originator } = ctx.config.payouts;
  if (rail === 'paypal') return undefined;
  if (rail !== 'ach') return { name: `payouts-${rail}-${at.toISOString().slice(0, 10)}.csv`, text: listOf(items) };
  if (!originator) throw new Error('a file has its originator');
  const modifier = modifierOf(await transfers.countFilesOn(tx, at));
  const file = { originator, createdAt: at, effectiveOn: effectiveAfter(at), modifier, entries: items.map(entryOf) };
  return { name: `payouts-${at.toISOString().slice(0, 10)}-${modifier}.ach`, text: achFile(file) };
}

/**
 * Sends all approved requests of a rail as one batch. Idempotent per operation id. Throws CONFLICT (nothing to send, or
 * the ledger has an alarm), UPSTREAM (the rail is not configured).
 */
export async function sendBatch(ctx: Context, operatorId: string, rail: Rail, operationId: string): Promise<View> {
  requireSetUp(ctx, rail);
  const id = await ctx.db.transaction(async (tx) => {
    const made = newId(ctx.clock);
    const requestHash = hashRequest({ sendPayouts: rail });
    const earlier = await claimOperation(tx, { actorId: operatorId, operationId, requestHash, subjectId: made });
    if (earlier !== undefined) return earlier;
    await requireBalance(tx);
    await transfers.lockBatches(tx);
    const rows = await payable(tx, ctx.clock.now(), await transfers.lockApproved(tx, rail, MOST_ITEMS));
    if (rows.length === 0) throw new AppError('CONFLICT', { message: 'No approved payouts to send.' });
    const at = ctx.clock.now();
    const methods = await transfers.methodsById(
      tx,
      rows.map((row) => row.method_id),
    );
    const items = rows.map((row) => {
      const method = methods.get(row.method_id);
      if (!method) throw new Error('a request has its method');
      return { row, details: openMethod(ctx, method) };
    });
    const cents = rows.reduce((sum, row) => sum + netOf(row), 0);
    const file = await fileOf(ctx, tx, rail, items, at);
    await transfers.insertBatch(tx, {
      id: made,
      rail,
      state: rail === 'paypal' ? 'sending' : 'ready',
      created_by: operatorId,
      created_at: at,
      item_count: rows.length,
      net_cents: cents,
      file_name: file?.name ?? null,
      sealed: file ? seal(ctx.config.deriveKey(KEY), made, file.text) : null,
    });
    for (const row of rows) {
      const transactionId = await send(tx, row, made, at);
      await noteMoment(tx, row, { moment: rail === 'ach' ? 'sent' : 'queued', at, byId: operatorId, transactionId });
    }
    if (rail === 'paypal') await ctx.jobs.add(tx, submitJob, { batchId: made }, { key: `payouts.submit:${made}` });
    const facts = { rail, count: rows.length, cents };
    await noteAct(ctx, tx, { operatorId, act: 'payoutBatch.send', subjectKind: 'payoutBatch', subjectId: made, facts });
    return made;
  });
  return viewBatch(ctx, id);
}

function present(row: transfers.BatchRow): View {
  return {
    id: z.parse(payoutBatchId, row.id),
    rail: z.parse(z.enum(RAILS), row.rail),
    state: z.parse(z.enum(BATCH_STATES), row.state),
    count: row.item_count,
    net: toUsd(asCents(row.net_cents)),
    fileName: row.file_name,
    detail: row.detail,
    createdAt: row.created_at.toISOString(),
  };
}

async function viewBatch({ db }: Pick<Context, 'db'>, id: string): Promise<View> {
  const [row] = (await transfers.listBatches(db, { limit: 1, skip: 0 }, id)).rows;
  if (!row) throw new AppError('NOT_FOUND');
  return present(row);
}

type Rails = AnswerOf<typeof listPayoutRails>['data'];

export async function viewRails(
  ctx: Pick<Context, 'clock' | 'config' | 'db'>,
): Promise<AnswerOf<typeof listPayoutRails>> {
  const data: Rails = [];
  for (const rail of RAILS) {
    const rows = await transfers.approvedOf(ctx.db, rail, MOST_ITEMS);
    const may = await payable(ctx.db, ctx.clock.now(), rows);
    const cents = may.reduce((sum, row) => sum + netOf(row), 0);
    const held = rows.length - may.length;
    data.push({ rail, isSetUp: isSetUp(ctx, rail), count: may.length, net: toUsd(asCents(cents)), held });
  }
  return { data };
}

export async function viewBatches(
  { db }: Pick<Context, 'db'>,
  { limit, offset }: QueryOf<typeof listPayoutBatches>,
): Promise<AnswerOf<typeof listPayoutBatches>> {
  const skip = skipOf(offset);
  const { rows, total } = await transfers.listBatches(db, { limit, skip });
  return pageOf(rows.map(present), { limit, skip, total });
}

/** Returns the file of a batch and audits the download. Throws NOT_FOUND, CONFLICT for a batch without a file. */
export async function batchFile(ctx: Context, operatorId: string, id: string): Promise<FileAnswer> {
  return ctx.db.transaction(async (tx) => {
    const [row] = (await transfers.listBatches(tx, { limit: 1, skip: 0 }, id)).rows;
    if (!row) throw new AppError('NOT_FOUND');
    if (!row.sealed || row.file_name === null)
      throw new AppError('CONFLICT', { message: 'PayPal batches have no file.' });
    const bytes = Buffer.from(unseal(ctx.config.deriveKey(KEY), id, row.sealed));
    await noteAct(ctx, tx, { operatorId, act: 'payoutBatch.file', subjectKind: 'payoutBatch', subjectId: id });
    const type = row.rail === 'ach' ? 'text/plain; charset=us-ascii' : 'text/csv; charset=utf-8';
    return { name: row.file_name, type, bytes: bytes.length, body: Readable.from([bytes]) };
  });
}

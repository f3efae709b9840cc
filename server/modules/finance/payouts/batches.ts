import { Readable } from 'node:stream';
import {
  BATCH_STATES,
  type listPayoutBatches,
  type listPayoutRails,
  PAYOUT_RAILS,
  type PayoutRail,
  type sendPayouts,
} from '@stagedoor/contract/admin/payouts.ts';
import type { PayoutDetails } from '@stagedoor/contract/finance/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { payoutBatchId } from '@stagedoor/contract/shared/ids.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { FileResponse, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { toSafeCell } from '../../../platform/csv.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import { decryptText, encryptContent } from '../../../platform/security/encryption.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import { listOnHoldReasons, requireNoLedgerAlarm } from './eligibility.ts';
import { decryptMethod } from './methods.ts';
import { type AchEntry, formatAchFile, getEffectiveDate, getModifier } from './nacha.ts';
import { MAX_BATCH_ITEMS } from './paypal.ts';
import { formatPayoutNumber } from './present.ts';
import { recordEvent } from './requests.ts';
import type * as store from './store.ts';
import { submitJob } from './submit.ts';
import * as texts from './texts.ts';
import * as transfers from './transfer-store.ts';
import { sendPayout } from './transfers.ts';

const KEY = 'payout files';

type BatchView = ResponseInputOf<typeof sendPayouts>;

const toCsvCell = (text: string) => `"${toSafeCell(text).replaceAll('"', '""')}"`;

const getNetCents = (row: store.PayoutRow) => row.amount_cents - row.fee_cents;

type BatchItem = { row: store.RequestRow; details: PayoutDetails };

function buildPayoutList(items: readonly BatchItem[]): string {
  const head = ['Number', 'USD', 'To', 'Destination', texts.bankOrNetwork, 'Type'];
  const lines = items.map(({ row, details }) => {
    const usd = (getNetCents(row) / 100).toFixed(2);
    const destination = {
      ach: (one: PayoutDetails) => (one.kind === 'ach' ? [one.holder, one.account, one.routing, one.accountType] : []),
      paypal: (one: PayoutDetails) => (one.kind === 'paypal' ? [one.email, one.email, 'PayPal', ''] : []),
      crypto: (one: PayoutDetails) => (one.kind === 'crypto' ? [one.coin, one.address, one.network, ''] : []),
    }[details.kind](details);
    return [formatPayoutNumber(row), usd, ...destination];
  });
  return [head, ...lines].map((line) => `${line.map(toCsvCell).join(',')}\r\n`).join('');
}

function toAchEntry({ row, details }: BatchItem): AchEntry {
  if (details.kind !== 'ach') throw new Error('only bank accounts stand in an ACH file');
  const { routing, account, accountType, holder } = details;
  const isSavings = accountType === 'Savings Account';
  return { routing, account, isSavings, cents: getNetCents(row), id: formatPayoutNumber(row), name: holder };
}

async function filterPayable(db: Executor, now: Date, rows: readonly store.RequestRow[]): Promise<store.RequestRow[]> {
  const onHold = await listOnHoldReasons(db, now, rows);
  return rows.filter(({ id }) => !onHold.has(id));
}

function isSetUp({ config: { payouts } }: Pick<Context, 'config'>, rail: PayoutRail): boolean {
  return !((rail === 'ach' && !payouts.ach) || (rail === 'paypal' && !payouts.payPal));
}

function requireSetUp(ctx: Context, rail: PayoutRail): void {
  if (!isSetUp(ctx, rail))
    throw new AppError('UPSTREAM', {
      message: formatText(texts.railNotConfigured, { rail: rail === 'ach' ? 'ACH' : 'PayPal' }),
    });
}

/** Returns the payout file of a rail, encrypted because it contains full account numbers. */
async function buildFile(ctx: Context, tx: DbTransaction, rail: PayoutRail, items: readonly BatchItem[], at: Date) {
  const { ach: originator } = ctx.config.payouts;
  if (rail === 'paypal') return undefined;
  if (rail !== 'ach')
    return { name: `payouts-${rail}-${at.toISOString().slice(0, 10)}.csv`, text: buildPayoutList(items) };
  if (!originator) throw new Error('a file has its originator');
  const modifier = getModifier(await transfers.countFilesOn(tx, at));
  const entries = items.map(toAchEntry);
  const names = [originator.destinationName, originator.originName, originator.companyName];
  const [destinationName = '', originName = '', companyName = '', ...holders] = await transliterate(tx, [
    ...names,
    ...entries.map(({ name }) => name),
  ]);
  const file = {
    originator: { ...originator, destinationName, originName, companyName },
    createdAt: at,
    effectiveOn: getEffectiveDate(at),
    modifier,
    entries: entries.map((entry, index) => ({ ...entry, name: holders[index] ?? '' })),
  };
  return { name: `payouts-${at.toISOString().slice(0, 10)}-${modifier}.ach`, text: formatAchFile(file) };
}

/**
 * Sends all approved requests of a rail as one batch. Idempotent per operation id. Throws CONFLICT (nothing to send, or
 * the ledger has an alarm), UPSTREAM (the rail is not configured).
 */
export async function sendBatch(
  ctx: Context,
  operatorId: string,
  rail: PayoutRail,
  operationId: string,
): Promise<BatchView> {
  requireSetUp(ctx, rail);
  const id = await ctx.db.transaction(async (tx) => {
    const batchId = createId(ctx.clock);
    const requestHash = hashRequest({ sendPayouts: rail });
    const earlier = await claimIdempotencyKey(tx, {
      actorId: operatorId,
      operationId,
      requestHash,
      subjectId: batchId,
    });
    if (earlier !== undefined) return earlier;
    await requireNoLedgerAlarm(tx);
    await transfers.lockBatches(tx);
    const rows = await filterPayable(tx, ctx.clock.now(), await transfers.lockApproved(tx, rail, MAX_BATCH_ITEMS));
    if (rows.length === 0) throw new AppError('CONFLICT', { message: texts.noApprovedPayouts });
    const at = ctx.clock.now();
    const methods = await transfers.loadMethodsById(
      tx,
      rows.map((row) => row.method_id),
    );
    const items = rows.map((row) => {
      const method = methods.get(row.method_id);
      if (!method) throw new Error('a request has its method');
      return { row, details: decryptMethod(ctx, method) };
    });
    const cents = rows.reduce((sum, row) => sum + getNetCents(row), 0);
    const file = await buildFile(ctx, tx, rail, items, at);
    await transfers.insertBatch(tx, {
      id: batchId,
      rail,
      state: rail === 'paypal' ? 'sending' : 'ready',
      created_by: operatorId,
      created_at: at,
      item_count: rows.length,
      net_cents: cents,
      file_name: file?.name ?? null,
      encrypted_file: file ? encryptContent(ctx.config.deriveKey(KEY), batchId, file.text) : null,
    });
    for (const row of rows) {
      const transactionId = await sendPayout(tx, row, batchId, at);
      await recordEvent(tx, row, { event: rail === 'ach' ? 'sent' : 'queued', at, byId: operatorId, transactionId });
    }
    if (rail === 'paypal') await ctx.jobs.add(tx, submitJob, { batchId }, { key: `payouts.submit:${batchId}` });
    const details = { rail, count: rows.length, cents };
    await logAction(ctx, tx, {
      operatorId,
      action: 'payoutBatch.send',
      subjectKind: 'payoutBatch',
      subjectId: batchId,
      details,
    });
    return batchId;
  });
  return viewBatch(ctx, id);
}

function presentBatch(row: transfers.BatchRow): BatchView {
  return {
    id: z.parse(payoutBatchId, row.id),
    rail: z.parse(z.enum(PAYOUT_RAILS), row.rail),
    state: z.parse(z.enum(BATCH_STATES), row.state),
    count: row.item_count,
    net: toUsd(asCents(row.net_cents)),
    fileName: row.file_name,
    detail: row.detail,
    createdAt: row.created_at.toISOString(),
  };
}

async function viewBatch({ db }: Pick<Context, 'db'>, id: string): Promise<BatchView> {
  const [row] = (await transfers.listBatches(db, { limit: 1, skip: 0 }, id)).rows;
  if (!row) throw new AppError('NOT_FOUND');
  return presentBatch(row);
}

type Rails = ResponseInputOf<typeof listPayoutRails>['data'];

export async function viewRails(
  ctx: Pick<Context, 'clock' | 'config' | 'db'>,
): Promise<ResponseInputOf<typeof listPayoutRails>> {
  const data: Rails = [];
  for (const rail of PAYOUT_RAILS) {
    const rows = await transfers.listApproved(ctx.db, rail, MAX_BATCH_ITEMS);
    const payableRows = await filterPayable(ctx.db, ctx.clock.now(), rows);
    const cents = payableRows.reduce((sum, row) => sum + getNetCents(row), 0);
    const onHold = rows.length - payableRows.length;
    data.push({ rail, isSetUp: isSetUp(ctx, rail), count: payableRows.length, net: toUsd(asCents(cents)), onHold });
  }
  return { data };
}

export async function viewBatches(
  { db }: Pick<Context, 'db'>,
  { limit, offset }: QueryOf<typeof listPayoutBatches>,
): Promise<ResponseInputOf<typeof listPayoutBatches>> {
  const skip = parseSkip(offset);
  const { rows, total } = await transfers.listBatches(db, { limit, skip });
  return toOffsetPage(rows.map(presentBatch), { limit, skip, total });
}

/** Returns the file of a batch and audits the download. Throws NOT_FOUND, CONFLICT for a batch without a file. */
export async function downloadBatchFile(ctx: Context, operatorId: string, id: string): Promise<FileResponse> {
  return ctx.db.transaction(async (tx) => {
    const [row] = (await transfers.listBatches(tx, { limit: 1, skip: 0 }, id)).rows;
    if (!row) throw new AppError('NOT_FOUND');
    if (!row.encrypted_file || row.file_name === null)
      throw new AppError('CONFLICT', { message: texts.paypalBatchesHaveNoFile });
    const bytes = Buffer.from(decryptText(ctx.config.deriveKey(KEY), id, row.encrypted_file));
    await logAction(ctx, tx, { operatorId, action: 'payoutBatch.file', subjectKind: 'payoutBatch', subjectId: id });
    const type = row.rail === 'ach' ? 'text/plain; charset=us-ascii' : 'text/csv; charset=utf-8';
    return { name: row.file_name, type, bytes: bytes.length, body: Readable.from([bytes]) };
  });
}

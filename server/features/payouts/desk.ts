import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { payoutBatchId, userId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type DeskPayout,
  type decidePayout as decideRoute,
  type listDeskPayouts,
  RAILS,
} from '@stagedoor/contract/payout-desk.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { findNamed, findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { mayPayOut } from '../ledger/index.ts';
import { newcomers, requireCounts } from '../operators/index.ts';
import { requireAnothers } from './alone.ts';
import { claimedIds, claimsOf, presentClaim } from './claims.ts';
import { heldBack, whyNotPaid } from './gates.ts';
import { MOST_ITEMS } from './paypal.ts';
import { numberOf, presentPayout, presentTrack, sourceOf } from './present.ts';
import { fromReserved, giveBack, noteMoment } from './requests.ts';
import { approvalsFor, approvalsNeeded, type PayoutSettings, payoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as transfers from './transfer-store.ts';
import { instantsOf } from './views.ts';

/** An open request that was approved but not released needs one more approval, however many it has. */
const stillNeeded = (payout: store.PayoutRow, settings: PayoutSettings, approved: number) =>
  Math.max(approvalsNeeded(payout, settings), isOpen(payout) && approved > 0 ? approved + 1 : 0);

async function present(ctx: Pick<Context, 'clock' | 'db'>, rows: readonly store.RequestRow[]): Promise<DeskPayout[]> {
  const ids = rows.map(({ id }) => id);
  const waiting = rows.filter(({ status, batch_id: batchId }) => status === 'approved' && batchId === null);
  const [approvals, moments, settings, claims, held] = await Promise.all([
    transfers.approvalsOf(ctx.db, ids),
    store.momentsOf(ctx.db, ids),
    payoutSettings(ctx.db),
    claimsOf(ctx, ids),
    heldBack(ctx.db, ctx.clock.now(), waiting),
  ]);
  const operators = [...approvals, ...claims].map(({ operator_id: id }) => id);
  const people = await findPeople(ctx.db, [...rows.map(({ user_id: id }) => id), ...operators]);
  return rows.map((row) => {
    const person = people.get(row.user_id);
    if (!person) throw new Error('who requested has an account');
    const approvedBy = approvals.filter(({ payout_id: id }) => id === row.id).map(({ operator_id: id }) => id);
    const claim = claims.find(({ payout_id: id }) => id === row.id);
    const nameOf = (id: string) => people.get(id)?.username ?? id;
    return {
      ...presentPayout(row),
      track: presentTrack(moments.filter(({ payout_id: id }) => id === row.id)),
      reference: row.reference,
      number: numberOf(row),
      rail: z.parse(z.enum(RAILS), row.rail),
      person: { id: z.parse(userId, person.id), username: person.username, name: person.name },
      approvals: approvedBy.map(nameOf),
      approvalsNeeded: stillNeeded(row, settings, approvedBy.length),
      claim: claim ? presentClaim(claim, nameOf(claim.operator_id)) : null,
      batchId: z.parse(z.nullable(payoutBatchId), row.batch_id),
      heldBack: held.get(row.id) ?? null,
    };
  });
}

export async function viewOne(ctx: Pick<Context, 'clock' | 'db'>, id: string): Promise<DeskPayout> {
  const row = await store.findPayout(ctx.db, id);
  const [view] = row ? await present(ctx, [row]) : [];
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

async function meantBy(
  db: Executor,
  search: string,
): Promise<Pick<store.PayoutFilter, 'number' | 'userId'> | undefined> {
  const [, number] = /^PO-(\d{1,15})$/i.exec(search) ?? [];
  if (number !== undefined) return { number: Number(number) };
  const user = await findNamed(db, search);
  return user && { userId: user.id };
}

async function idsOf(
  ctx: Pick<Context, 'clock' | 'db'>,
  { queue, rail }: Pick<store.PayoutFilter, 'queue' | 'rail'>,
): Promise<readonly string[] | undefined> {
  if (queue === 'toConfirm') return claimedIds(ctx);
  if (queue !== 'heldBack') return undefined;
  const ids: string[] = [];
  for (const each of rail === undefined ? RAILS : [rail]) {
    const rows = await transfers.approvedOf(ctx.db, each, MOST_ITEMS);
    ids.push(...(await heldBack(ctx.db, ctx.clock.now(), rows)).keys());
  }
  return ids;
}

export async function viewDesk(
  ctx: Pick<Context, 'clock' | 'db'>,
  { limit, offset, from, to, search, ...filter }: QueryOf<typeof listDeskPayouts>,
): Promise<AnswerOf<typeof listDeskPayouts>> {
  const skip = skipOf(offset);
  const days = instantsOf({ from, to });
  const meant = search === undefined ? {} : await meantBy(ctx.db, search);
  const ids = await idsOf(ctx, filter);
  if (!meant || ids?.length === 0) return pageOf<DeskPayout>([], { limit, skip, total: 0 });
  const { rows, total } = await store.listPayouts(ctx.db, { ...filter, ...days, ...meant, ids }, { limit, skip });
  return pageOf(await present(ctx, rows), { limit, skip, total });
}

/** Throws CONFLICT while the ledger has an alarm, because no money may be paid out then. */
export async function requireBalance(db: Executor): Promise<void> {
  if (!(await mayPayOut(db)))
    throw new AppError('CONFLICT', {
      message: 'Payouts are stopped by a ledger alert until a new check passes and all alerts are resolved.',
    });
}

/**
 * Within this time, the payouts that one operator approves alone for one user are compared with the limit as one sum.
 */
const ALONE_MS = 24 * 60 * 60_000;
const isOpen = ({ status }: store.PayoutRow) => status === 'requested' || status === 'inreview';
const DECIDED = 'This was decided already.';

/**
 * Adds an approval and returns whether there are enough. Throws CONFLICT when this operator already approved it, their
 * roles are too new for a second approval, or it may not be paid.
 */
async function approve(ctx: Context, tx: Transaction, operatorId: string, payout: store.PayoutRow): Promise<boolean> {
  await requireBalance(tx);
  const problem = await whyNotPaid(tx, { userId: payout.user_id, source: sourceOf(payout.source) }, ctx.clock.now());
  if (problem !== undefined) throw new AppError('CONFLICT', { message: `This can’t be paid. ${problem}` });
  const request = await store.findPayout(tx, payout.id);
  if (request?.invalid_at)
    throw new AppError('CONFLICT', { message: 'A payout to this method was returned. Reject this request.' });
  if (!(await transfers.addApproval(tx, payout.id, operatorId, ctx.clock.now())))
    throw new AppError('CONFLICT', { message: 'You already approved this. Another operator must approve it too.' });
  const approvals = await transfers.approvalsOf(tx, [payout.id]);
  const settings = await payoutSettings(tx);
  const since = new Date(ctx.clock.now().getTime() - ALONE_MS);
  const areNew = [...(await newcomers(tx, since)).keys()];
  const passed = await transfers.approvedAlone(tx, { operatorId, userId: payout.user_id, since, areNew });
  const together = approvalsFor(settings, passed + payout.amount_cents);
  const needed = Math.max(approvalsNeeded(payout, settings), together);
  if (needed > 1) await requireCounts(ctx, tx, operatorId);
  return approvals.length >= needed;
}

/** Decides on a request. Throws NOT_FOUND, CONFLICT (already decided, may not be paid, or the ledger has an alarm). */
export async function decidePayout(
  ctx: Context,
  operatorId: string,
  id: string,
  { decision, ground }: BodyOf<typeof decideRoute>,
): Promise<DeskPayout> {
  await ctx.db.transaction(async (tx) => {
    const payout = await store.lockPayout(tx, id);
    if (!payout) throw new AppError('NOT_FOUND');
    requireAnothers(payout, operatorId);
    const { status } = payout;
    const isUndecided = isOpen(payout);
    const isUnsent = status === 'approved' && payout.batch_id === null;
    const at = ctx.clock.now();
    const noted = { at, byId: operatorId, ground };
    if (decision === 'reject') {
      if (!isUndecided && !isUnsent) throw new AppError('CONFLICT', { message: DECIDED });
      const transactionId = await giveBack(tx, payout, { kind: 'payout_cancelled', from: fromReserved(payout), at });
      const transfer = isUnsent ? 'cancelled' : null;
      await store.updatePayout(tx, id, { status: 'rejected', transfer, reason: ground, at });
      await noteMoment(tx, payout, { moment: 'rejected', ...noted, transactionId });
    } else {
      if (!isUndecided || (decision === 'review' && status === 'inreview'))
        throw new AppError('CONFLICT', { message: DECIDED });
      const isApproved = decision === 'approve' && (await approve(ctx, tx, operatorId, payout));
      if (isApproved) await store.updatePayout(tx, id, { status: 'approved', transfer: 'pending', at });
      else await store.updatePayout(tx, id, { status: 'inreview', at });
      if (isApproved || status === 'requested')
        await noteMoment(tx, payout, { moment: isApproved ? 'approved' : 'inreview', ...noted });
    }
    const facts = { ground, cents: payout.amount_cents, person: payout.user_id };
    await noteAct(ctx, tx, { operatorId, act: `payout.${decision}`, subjectKind: 'payout', subjectId: id, facts });
  });
  return viewOne(ctx, id);
}

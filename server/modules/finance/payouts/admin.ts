import {
  type AdminPayout,
  type decidePayout as decideRoute,
  type listAdminPayouts,
  PAYOUT_RAILS,
} from '@stagedoor/contract/admin/payouts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { payoutBatchId, userId } from '@stagedoor/contract/shared/ids.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { findUserByName, findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { listOnHoldReasons } from './eligibility.ts';
import { listClaimedPayoutIds, listClaims, presentClaim } from './failure-claims.ts';
import { toTimeRange } from './own-payouts.ts';
import {
  approvePayout,
  countApprovalsToRelease,
  listPayoutApprovals,
  requireNotOwnPayout,
} from './payout-approvals.ts';
import { MAX_BATCH_ITEMS } from './paypal.ts';
import { formatPayoutNumber, isOpen, presentPayout, presentTimeline } from './present.ts';
import { recordEvent, returnReserved, toReservedLegs } from './requests.ts';
import { loadPayoutSettings } from './settings.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import * as transfers from './transfer-store.ts';

async function presentAdminPayouts(
  ctx: Pick<Context, 'clock' | 'db'>,
  rows: readonly store.RequestRow[],
): Promise<AdminPayout[]> {
  const ids = rows.map(({ id }) => id);
  const waiting = rows.filter(({ status, batch_id: batchId }) => status === 'approved' && batchId === null);
  const [approvals, events, settings, claims, onHoldReasons] = await Promise.all([
    listPayoutApprovals(ctx.db, ids),
    store.listPayoutEvents(ctx.db, ids),
    loadPayoutSettings(ctx.db),
    listClaims(ctx, ids),
    listOnHoldReasons(ctx.db, ctx.clock.now(), waiting),
  ]);
  const operators = [...approvals, ...claims].map(({ operator_id: id }) => id);
  const users = await findUserSummaries(ctx.db, [...rows.map(({ user_id: id }) => id), ...operators]);
  return rows.map((row) => {
    const user = users.get(row.user_id);
    if (!user) throw new Error('who requested has an account');
    const approvedBy = approvals.filter(({ payout_id: id }) => id === row.id).map(({ operator_id: id }) => id);
    const claim = claims.find(({ payout_id: id }) => id === row.id);
    const getUsername = (id: string) => users.get(id)?.username ?? id;
    return {
      ...presentPayout(row),
      timeline: presentTimeline(events.filter(({ payout_id: id }) => id === row.id)),
      reference: row.reference,
      number: formatPayoutNumber(row),
      rail: z.parse(z.enum(PAYOUT_RAILS), row.rail),
      user: { id: z.parse(userId, user.id), username: user.username, name: user.name },
      approvals: approvedBy.map(getUsername),
      approvalsNeeded: countApprovalsToRelease(row, settings, approvedBy.length),
      claim: claim ? presentClaim(claim, getUsername(claim.operator_id)) : null,
      batchId: z.parse(z.nullable(payoutBatchId), row.batch_id),
      onHoldReason: onHoldReasons.get(row.id) ?? null,
    };
  });
}

export async function viewAdminPayout(ctx: Pick<Context, 'clock' | 'db'>, id: string): Promise<AdminPayout> {
  const row = await store.findPayout(ctx.db, id);
  const [view] = row ? await presentAdminPayouts(ctx, [row]) : [];
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

async function parseSearch(
  db: Executor,
  search: string,
): Promise<Pick<store.PayoutFilter, 'number' | 'userId'> | undefined> {
  const [, number] = /^PO-(\d{1,15})$/i.exec(search) ?? [];
  if (number !== undefined) return { number: Number(number) };
  const user = await findUserByName(db, search);
  return user && { userId: user.id };
}

async function findQueueIds(
  ctx: Pick<Context, 'clock' | 'db'>,
  { queue, rail }: Pick<store.PayoutFilter, 'queue' | 'rail'>,
): Promise<readonly string[] | undefined> {
  if (queue === 'toConfirm') return listClaimedPayoutIds(ctx);
  if (queue !== 'onHold') return undefined;
  const ids: string[] = [];
  for (const each of rail === undefined ? PAYOUT_RAILS : [rail]) {
    const rows = await transfers.listApproved(ctx.db, each, MAX_BATCH_ITEMS);
    ids.push(...(await listOnHoldReasons(ctx.db, ctx.clock.now(), rows)).keys());
  }
  return ids;
}

export async function viewAdminPayouts(
  ctx: Pick<Context, 'clock' | 'db'>,
  { limit, offset, from, to, search, ...filter }: QueryOf<typeof listAdminPayouts>,
): Promise<ResponseInputOf<typeof listAdminPayouts>> {
  const skip = parseSkip(offset);
  const days = toTimeRange({ from, to });
  const searchFilter = search === undefined ? {} : await parseSearch(ctx.db, search);
  const ids = await findQueueIds(ctx, filter);
  if (!searchFilter || ids?.length === 0) return toOffsetPage<AdminPayout>([], { limit, skip, total: 0 });
  const { rows, total } = await store.listPayouts(
    ctx.db,
    { ...filter, ...days, ...searchFilter, ids },
    { limit, skip },
  );
  return toOffsetPage(await presentAdminPayouts(ctx, rows), { limit, skip, total });
}

const ALREADY_DECIDED = texts.payoutAlreadyDecided;

/** Decides on a request. Throws NOT_FOUND, CONFLICT (already decided, may not be paid, or the ledger has an alarm). */
export async function decidePayout(
  ctx: Context,
  operatorId: string,
  id: string,
  { decision, reason }: BodyOf<typeof decideRoute>,
): Promise<AdminPayout> {
  await ctx.db.transaction(async (tx) => {
    const payout = await store.lockPayout(tx, id);
    if (!payout) throw new AppError('NOT_FOUND');
    requireNotOwnPayout(payout, operatorId);
    const { status } = payout;
    const isUndecided = isOpen(payout);
    const isUnsent = status === 'approved' && payout.batch_id === null;
    const at = ctx.clock.now();
    const eventBase = { at, byId: operatorId, reason };
    if (decision === 'reject') {
      if (!isUndecided && !isUnsent) throw new AppError('CONFLICT', { message: ALREADY_DECIDED });
      const transactionId = await returnReserved(tx, payout, {
        kind: 'payout_cancelled',
        from: toReservedLegs(payout),
        at,
      });
      const transfer = isUnsent ? 'cancelled' : null;
      await store.updatePayout(tx, id, { status: 'rejected', transfer, reason, at });
      await recordEvent(tx, payout, { event: 'rejected', ...eventBase, transactionId });
    } else {
      if (!isUndecided || (decision === 'review' && status === 'inreview'))
        throw new AppError('CONFLICT', { message: ALREADY_DECIDED });
      const isApproved = decision === 'approve' && (await approvePayout(ctx, tx, operatorId, payout));
      if (isApproved) await store.updatePayout(tx, id, { status: 'approved', transfer: 'pending', at });
      else await store.updatePayout(tx, id, { status: 'inreview', at });
      if (isApproved || status === 'requested')
        await recordEvent(tx, payout, { event: isApproved ? 'approved' : 'inreview', ...eventBase });
    }
    const details = { reason, cents: payout.amount_cents, user: payout.user_id };
    await logAction(ctx, tx, {
      operatorId,
      action: `payout.${decision}`,
      subjectKind: 'payout',
      subjectId: id,
      details,
    });
  });
  return viewAdminPayout(ctx, id);
}

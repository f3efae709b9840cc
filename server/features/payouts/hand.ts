/**
 * Reports of operators about money in transit. For a PayPal payout, only the status at PayPal is booked while PayPal
 * can be queried.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type {
  correctReference as correctRoute,
  DeskPayout,
  stepPayout as stepRoute,
} from '@stagedoor/contract/payout-desk.ts';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { noteAct } from '../audit/index.ts';
import { hear } from './claims.ts';
import { requireTransaction } from './coins.ts';
import { viewOne } from './desk.ts';
import type { Outcome } from './provider.ts';
import * as store from './store.ts';
import { bookOutcome, providerOf } from './submit.ts';
import * as transfers from './transfer-store.ts';
import { KNOWN_MS, takeStep } from './transfers.ts';

/** Throws CONFLICT while a batch is being handed over to PayPal, because money returned now could be sent as well. */
async function requireHandedOver({ clock }: Pick<Context, 'clock'>, tx: Transaction, id: string): Promise<void> {
  const batchId = (await store.lockPayout(tx, id))?.batch_id;
  const batch = batchId ? await transfers.findBatch(tx, batchId) : undefined;
  const isAsked = batch?.state === 'sending' || batch?.state === 'unknown';
  if (isAsked && clock.now().getTime() - batch.created_at.getTime() <= KNOWN_MS)
    throw new AppError('CONFLICT', { message: 'The payout is still being sent to PayPal. Wait for its answer.' });
}

const UNHEARD = 'PayPal isn’t responding, and its answer is what counts. Try again later.';

async function answered(asking: Promise<Outcome | undefined>): Promise<Outcome> {
  const outcome = await asking.catch(() => undefined);
  if (!outcome || outcome.state === 'unknown') throw new AppError('UPSTREAM', { message: UNHEARD });
  return outcome;
}

/**
 * Returns the current status of a payout at PayPal. If `isBack` is true, cancels an unclaimed payment first. Returns
 * undefined when PayPal does not know the payout. Throws UPSTREAM (no response, or not configured).
 */
async function askPayPal(ctx: Context, payout: store.RequestRow, isBack: boolean): Promise<Outcome | undefined> {
  const batch = payout.batch_id === null ? undefined : await transfers.findBatch(ctx.db, payout.batch_id);
  const { reference } = payout;
  // PayPal never confirmed the batch, and by now it has forgotten our id for it.
  if (!batch || batch.provider_ref === null) return undefined;
  const { provider_ref: ref } = batch;
  const provider = providerOf(ctx);
  if (!provider)
    throw new AppError('UPSTREAM', { message: 'PayPal payouts aren’t configured, so we can’t check with PayPal.' });
  const said = await answered(
    reference === null
      ? provider.items(ref).then((items) => items.get(payout.id) ?? { state: 'accepted', ref: null })
      : provider.fetch(reference),
  );
  if (said.state === 'none') return undefined;
  if (said.state !== 'accepted') return said;
  if (isBack && said.isUnclaimed && said.ref !== null) {
    const taken = await answered(provider.cancel(said.ref));
    if (taken.state !== 'accepted' && taken.state !== 'none') return taken;
  }
  return said;
}

async function stepByPayPal(
  ctx: Context,
  operatorId: string,
  payout: store.RequestRow,
  { step, ground }: BodyOf<typeof stepRoute>,
): Promise<boolean> {
  const isBack = step === 'failed' || step === 'returned';
  const said = await askPayPal(ctx, payout, isBack);
  if (!said) return false;
  if (said.state === 'accepted' && step !== 'sent')
    throw new AppError('CONFLICT', {
      message: 'PayPal reports the payout as in transit. Nothing is recorded until that changes.',
    });
  const facts = { ground, told: step, said: said.state };
  await ctx.db.transaction(async (tx) => {
    await requireHandedOver(ctx, tx, payout.id);
    if (!(await bookOutcome(ctx, tx, { id: payout.id, batchId: payout.batch_id }, said, operatorId))) return;
    await noteAct(ctx, tx, { operatorId, act: 'payout.asked', subjectKind: 'payout', subjectId: payout.id, facts });
  });
  return true;
}

/**
 * Books the report of an operator about a request. A failed or returned payout waits for a second operator if it is
 * large or was approved by the same operator alone. Throws NOT_FOUND, VALIDATION, CONFLICT (not sent, the opposite was
 * booked, or in transit at PayPal), UPSTREAM (PayPal does not respond).
 */
export async function stepPayout(
  ctx: Context,
  operatorId: string,
  id: string,
  body: BodyOf<typeof stepRoute>,
): Promise<DeskPayout> {
  const payout = await ctx.db.transaction(async (tx) => {
    await requireHandedOver(ctx, tx, id);
    return store.findPayout(tx, id);
  });
  if (!payout) throw new AppError('NOT_FOUND');
  const isPayPals = payout.rail === 'paypal' && payout.transfer !== 'failed';
  let heard = await hear(ctx, operatorId, id, { ...body, isAsked: isPayPals });
  if (heard === 'waits') return viewOne(ctx, id);
  if (isPayPals) {
    if (await stepByPayPal(ctx, operatorId, payout, body)) return viewOne(ctx, id);
    heard = await hear(ctx, operatorId, id, { ...body, isAsked: false });
    if (heard === 'waits') return viewOne(ctx, id);
  }
  await ctx.db.transaction(async (tx) => {
    await requireHandedOver(ctx, tx, id);
    if (!(await takeStep(ctx, tx, id, { ...body, byId: operatorId }))) return;
    const { step, ground, code = null, reference = null } = body;
    const facts = { ground, code, reference, ...(heard === 'alone' && { alone: true }) };
    await noteAct(ctx, tx, { operatorId, act: `payout.${step}`, subjectKind: 'payout', subjectId: id, facts });
  });
  return viewOne(ctx, id);
}

/**
 * Replaces a blockchain transaction id that was mistyped or dropped. The audit log retains the old one. Throws
 * NOT_FOUND, VALIDATION (invalid for the network), CONFLICT (nothing to replace, or replaced in between).
 */
export async function correctReference(
  ctx: Context,
  operatorId: string,
  id: string,
  { from, to, ground }: BodyOf<typeof correctRoute>,
): Promise<DeskPayout> {
  await ctx.db.transaction(async (tx) => {
    await store.lockPayout(tx, id);
    const payout = await store.findPayout(tx, id);
    if (!payout) throw new AppError('NOT_FOUND');
    if (payout.kind !== 'crypto' || payout.reference === null)
      throw new AppError('CONFLICT', { message: 'This payout has no blockchain transaction.' });
    if (payout.reference !== from)
      throw new AppError('CONFLICT', { message: 'Someone else changed the transaction ID. Reload and check again.' });
    requireTransaction('to', payout.network, to);
    if (from === to) return;
    await transfers.setReference(tx, id, to);
    const facts = { ground, from, to };
    await noteAct(ctx, tx, { operatorId, act: 'payout.reference', subjectKind: 'payout', subjectId: id, facts });
  });
  return viewOne(ctx, id);
}

/** Asking PayPal: a batch is handed over under its own id until somebody knows, and its items are asked after until they are over. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { job } from '../../kernel/jobs.ts';
import { mayPayOut } from '../ledger/index.ts';
import { openMethod } from './methods.ts';
import { payPal } from './paypal.ts';
import { returnWords } from './present.ts';
import type { Outcome, PayoutProvider } from './provider.ts';
import { noteMoment } from './requests.ts';
import * as transfers from './transfer-store.ts';
import { KNOWN_MS, takeStep } from './transfers.ts';

export const submitJob = job('payouts.submit', z.object({ batchId: z.string() }));

const providers = new WeakMap<Pick<Context, 'config'>, PayoutProvider>();

export function providerOf(ctx: Context): PayoutProvider | undefined {
  const options = ctx.config.payouts.payPal;
  const known = providers.get(ctx);
  if (known || !options) return known;
  const made = payPal(options, ctx.clock);
  providers.set(ctx, made);
  return made;
}

const WORDS: Readonly<Record<string, string>> = {
  RECEIVER_UNREGISTERED: 'PayPal knows no account of this address. Please check it, or open one.',
  RECEIVER_UNCONFIRMED: 'This address is not confirmed at PayPal. Please confirm it there.',
  RECEIVER_ACCOUNT_LOCKED: 'PayPal has locked this account. Please speak with them, or add another method.',
  RETURNED: 'Nobody took this money at PayPal within 30 days. Please check the address.',
};
const groundOf = (code: string) =>
  WORDS[code] ?? returnWords(code) ?? `PayPal did not pay it out (${code}). You can request it again.`;

/** Books what PayPal says of one. What nobody knows, and what is on its way, stays where it is. Throws CONFLICT for the opposite of what is booked. */
export async function settle(ctx: Context, payoutId: string, outcome: Outcome): Promise<void> {
  if (outcome.state === 'unknown') return;
  const reference = outcome.ref ?? undefined;
  const told = {
    accepted: { step: 'sent', ground: '' },
    paid: { step: 'paid', ground: '' },
    failed: { step: 'failed', ground: 'code' in outcome ? groundOf(outcome.code) : '' },
    returned: { step: 'returned', ground: 'code' in outcome ? groundOf(outcome.code) : '' },
  } as const;
  const step = { ...told[outcome.state], reference, byId: null };
  await ctx.db.transaction((tx) => takeStep(ctx, tx, payoutId, step));
}

/** Notes that PayPal refused a batch, and gives all of it back: both or neither, as nobody asks after it again. */
async function giveUp(ctx: Context, tx: Transaction, batchId: string, code: string): Promise<void> {
  const refused = { state: 'refused', ref: null, detail: `PayPal refused it: ${code}`, at: ctx.clock.now() } as const;
  if (!(await transfers.setBatch(tx, batchId, refused))) return;
  const step = { step: 'failed', ground: groundOf(code), byId: null } as const;
  for (const id of await transfers.lockRequestsOf(tx, batchId)) await takeStep(ctx, tx, id, step);
}

/** Hands a batch over. Throws while nobody knows whether it was heard, so that the job asks again with the same id. */
export async function submit(ctx: Context, batchId: string): Promise<void> {
  const provider = providerOf(ctx);
  const batch = await transfers.findBatch(ctx.db, batchId);
  if (!provider || !batch || (batch.state !== 'sending' && batch.state !== 'unknown')) return;
  // What was never handed over waits for the next chase; what perhaps was is asked after all the same.
  if (batch.state === 'sending' && !(await mayPayOut(ctx.db))) return;
  const rows = await transfers.ofBatch(ctx.db, batchId);
  const now = ctx.clock.now();
  if (now.getTime() - batch.created_at.getTime() > KNOWN_MS) {
    ctx.log.error({ batchId }, 'nobody knows whether PayPal paid these out, and it can no longer be asked: look there');
    return;
  }
  const methods = await transfers.methodsById(
    ctx.db,
    rows.map((row) => row.method_id),
  );
  const items = rows.map((row) => {
    const method = methods.get(row.method_id);
    const details = method && openMethod(ctx, method);
    if (details?.kind !== 'paypal') throw new Error('PayPal pays to its own accounts alone');
    return { id: row.id, receiver: details.email, cents: row.amount_cents - row.fee_cents };
  });
  const outcome = await provider.submit(items, batchId);
  if (outcome.state === 'unknown') {
    const isNew = await transfers.setBatch(ctx.db, batchId, {
      state: 'unknown',
      ref: null,
      detail: outcome.reason,
      at: now,
    });
    if (isNew && batch.state !== 'unknown')
      await ctx.db.transaction(async (tx) => {
        for (const row of rows) await noteMoment(tx, row, { moment: 'unknown', at: now, byId: null });
      });
    throw new Error(`a batch of payouts is not sure: ${outcome.reason}`);
  }
  if (outcome.state === 'failed') return ctx.db.transaction((tx) => giveUp(ctx, tx, batchId, outcome.code));
  if (!(await transfers.setBatch(ctx.db, batchId, { state: 'sent', ref: outcome.ref, detail: null, at: now }))) return;
  for (const row of rows) await settle(ctx, row.id, { state: 'accepted', ref: null });
}

/** Asks after the items of a batch. Throws when nobody answers. */
export async function settleBatch(
  ctx: Context,
  { id, provider_ref: ref }: { id: string; provider_ref: string | null },
): Promise<void> {
  const outcomes = ref === null ? undefined : await providerOf(ctx)?.items(ref);
  if (!outcomes) return;
  for (const row of await transfers.ofBatch(ctx.db, id)) {
    const outcome = outcomes.get(row.id);
    try {
      if (outcome) await settle(ctx, row.id, outcome);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The others are booked all the same.
      ctx.log.error(
        { payoutId: row.id, state: outcome?.state },
        `PayPal says of a payout what cannot be: ${error.message}`,
      );
    }
  }
}

/** Asks after every batch that is not over. */
export async function chase(ctx: Context): Promise<void> {
  const provider = providerOf(ctx);
  if (!provider) return;
  for (const batch of await transfers.openBatches(ctx.db)) {
    if (batch.provider_ref === null) {
      await ctx.jobs.add(ctx.db, submitJob, { batchId: batch.id }, { key: `payouts.submit:${batch.id}` });
      continue;
    }
    try {
      await settleBatch(ctx, batch);
    } catch (error) {
      ctx.log.warn({ err: error, batchId: batch.id }, 'PayPal was asked after payouts and did not answer');
    }
  }
}

export function registerSubmit(ctx: Context): void {
  // Beside others who ask outside: while PayPal hangs nothing else waits.
  ctx.jobs.define(submitJob, ({ batchId }) => submit(ctx, batchId), 'comparing');
  ctx.jobs.schedule('payouts.chase', '19 * * * *', () => chase(ctx), 'comparing');
}

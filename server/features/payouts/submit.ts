/** Asking PayPal: a batch is handed over under its own id until somebody knows, and its items are asked after until they are over. */
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { job } from '../../kernel/jobs.ts';
import { mayPayOut } from '../ledger/index.ts';
import { openMethod } from './methods.ts';
import { payPal } from './paypal.ts';
import { returnWords } from './present.ts';
import type { Outcome, PayoutProvider } from './provider.ts';
import { noteMoment } from './requests.ts';
import * as transfers from './transfer-store.ts';
import { takeStep } from './transfers.ts';

export const submitJob = job('payouts.submit', z.object({ batchId: z.string() }));

const DAY_MS = 24 * 60 * 60_000;
/** PayPal knows an id of ours for 30 days: after that it would be another sending. */
const KNOWN_MS = 29 * DAY_MS;

const providers = new WeakMap<Pick<Context, 'config'>, PayoutProvider>();

function providerOf(ctx: Context): PayoutProvider | undefined {
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

/** Books what PayPal says of one. What nobody knows, and what is on its way, stays where it is. */
async function settle(ctx: Context, payoutId: string, outcome: Outcome): Promise<void> {
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

/** Hands a batch over. Throws while nobody knows whether it was heard, so that the job asks again with the same id. */
async function submit(ctx: Context, batchId: string): Promise<void> {
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
  const isRefused = outcome.state === 'failed';
  const detail = isRefused ? `PayPal refused it: ${outcome.code}` : null;
  const state = isRefused ? 'refused' : 'sent';
  if (!(await transfers.setBatch(ctx.db, batchId, { state, ref: outcome.ref, detail, at: now }))) return;
  for (const row of rows)
    await settle(ctx, row.id, isRefused ? { ...outcome, ref: null } : { state: 'accepted', ref: null });
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
      const outcomes = await provider.items(batch.provider_ref);
      for (const row of await transfers.ofBatch(ctx.db, batch.id)) {
        const outcome = outcomes.get(row.id);
        if (outcome) await settle(ctx, row.id, outcome);
      }
    } catch (error) {
      ctx.log.warn({ err: error, batchId: batch.id }, 'PayPal was asked after payouts and did not answer');
    }
  }
}

export function registerSubmit(ctx: Context): void {
  ctx.jobs.define(submitJob, ({ batchId }) => submit(ctx, batchId));
  ctx.jobs.schedule('payouts.chase', '19 * * * *', () => chase(ctx));
}

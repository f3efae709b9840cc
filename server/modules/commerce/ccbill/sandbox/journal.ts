/**
 * The sandbox journal on disk, one entry per line: payments, reversals and undelivered webhooks. It plays the database
 * of the processor, so it is separate from ours.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { SandboxCharge, SandboxMessage, SandboxReversal, SandboxSale } from './messages.ts';

const date = z.pipe(
  z.string(),
  z.transform((text: string) => new Date(text)),
);
const recurring = z.object({
  priceCents: z.number(),
  periodDays: z.number(),
  rebills: z.number(),
  status: z.enum(['active', 'canceled', 'expired']),
  nextRenewalAt: date,
  startAheadMs: z.number(),
  canceledAt: z.optional(date),
  charges: z.array(z.object({ id: z.string(), priceCents: z.number(), soldAt: date, reversedCents: z.number() })),
});
const sale = z.object({
  id: z.string(),
  orderId: z.string(),
  priceCents: z.number(),
  periodDays: z.number(),
  currencyCode: z.string(),
  bin: z._default(z.string(), '411111'),
  last4: z.string(),
  expDate: z.string(),
  payerAddress: z.string(),
  requestDigest: z.string(),
  soldAt: date,
  isApproved: z.boolean(),
  reversedCents: z.number(),
  recurring: z.optional(recurring),
});
const webhook = z.object({
  id: z.string(),
  message: z.object({ eventType: z.string(), fields: z.record(z.string(), z.string()) }),
});
/** A payment and its webhook share a line, so that a crash leaves both or neither. */
const entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sale'), sale, webhook: z.optional(webhook) }),
  z.object({
    kind: z.literal('reversal'),
    saleId: z.string(),
    chargeId: z.optional(z.string()),
    type: z.enum(['REFUND', 'VOID', 'CHARGEBACK']),
    amountCents: z.number(),
    at: date,
    webhook: z.optional(webhook),
  }),
  /** The whole state of a subscription after a change. */
  z.object({ kind: z.literal('recurring'), saleId: z.string(), recurring, webhook: z.optional(webhook) }),
  z.object({ kind: z.literal('clock'), aheadMs: z.number() }),
  z.object({ kind: z.literal('webhook'), ...webhook.shape }),
  z.object({ kind: z.literal('delivered'), id: z.string() }),
]);
type Entry = z.output<typeof entry>;

export interface SandboxJournal {
  readonly sales: ReadonlyMap<string, SandboxSale>;
  readonly reversals: readonly SandboxReversal[];
  /** How far the clock of renewals was moved forward. */
  readonly aheadMs: number;
  readonly undelivered: ReadonlyMap<string, SandboxMessage>;
  append(entry: Entry): void;
}

/** Finds a payment of a sale. The first payment has the id of the sale, renewals have their own ids. */
export function findCharge(charged: SandboxSale, id: string): SandboxCharge | undefined {
  return id === charged.id ? charged : charged.recurring?.charges.find((charge) => charge.id === id);
}

/** The reversals follow as entries of their own, which add their amounts again. */
function clearReversals(stored: SandboxSale): SandboxSale {
  for (const charge of stored.recurring?.charges ?? []) charge.reversedCents = 0;
  return { ...stored, reversedCents: 0 };
}

const toLine = (one: Entry) => `${JSON.stringify(one)}\n`;

function readEntries(file: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = z.safeParse(entry, JSON.parse(line));
      return parsed.success ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Opens or creates the journal in `folder` and rewrites it without settled entries.
 * @param maxSales The number of latest payments to retain.
 */
export function openJournal(folder: string, maxSales: number): SandboxJournal {
  const file = path.join(folder, 'ccbill.jsonl');
  const sales = new Map<string, SandboxSale>();
  const reversals: SandboxReversal[] = [];
  const undelivered = new Map<string, SandboxMessage>();
  let aheadMs = 0;
  for (const one of readEntries(file)) {
    if ('webhook' in one && one.webhook) undelivered.set(one.webhook.id, one.webhook.message);
    if (one.kind === 'sale') sales.set(one.sale.id, clearReversals(one.sale));
    else if (one.kind === 'clock') aheadMs = one.aheadMs;
    else if (one.kind === 'webhook') undelivered.set(one.id, one.message);
    else if (one.kind === 'delivered') undelivered.delete(one.id);
    else if (one.kind === 'recurring') {
      const changed = sales.get(one.saleId);
      if (changed) changed.recurring = one.recurring;
    } else {
      const { saleId, chargeId = saleId, type, amountCents, at } = one;
      const reversed = sales.get(saleId);
      const charge = reversed && findCharge(reversed, chargeId);
      if (!reversed || !charge) continue;
      charge.reversedCents += amountCents;
      reversals.push({ type, sale: reversed, chargeId, amountCents, at });
    }
  }
  for (const id of [...sales.keys()].slice(0, Math.max(0, sales.size - maxSales))) sales.delete(id);
  const retained: Entry[] = [
    ...(aheadMs === 0 ? [] : [{ kind: 'clock' as const, aheadMs }]),
    ...[...sales.values()].map((one): Entry => ({ kind: 'sale', sale: one })),
    ...reversals.map(({ sale: { id: saleId }, ...rest }): Entry => ({ kind: 'reversal', saleId, ...rest })),
    ...[...undelivered].map(([id, message]): Entry => ({ kind: 'webhook', id, message })),
  ];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, retained.map(toLine).join(''), { flush: true, mode: 0o600 });
  renameSync(`${file}.new`, file);
  return {
    sales,
    reversals,
    aheadMs,
    undelivered,
    append: (one) => appendFileSync(file, toLine(one), { flush: true }),
  };
}

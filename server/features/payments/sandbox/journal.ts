/**
 * The sandbox's own memory on disk, a line an entry: what was paid, what was taken back, and which posts are still to be
 * delivered. It stands for the processor's database, so it is kept apart from ours.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { Message, Reversal, SandboxSale } from './messages.ts';

const date = z.pipe(
  z.string(),
  z.transform((text: string) => new Date(text)),
);
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
});
const told = z.object({
  id: z.string(),
  message: z.object({ eventType: z.string(), fields: z.record(z.string(), z.string()) }),
});
/** What happened and what is to be told of it stand in one line: a crash leaves both or neither. */
const entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sale'), sale, told: z.optional(told) }),
  z.object({
    kind: z.literal('reversal'),
    saleId: z.string(),
    type: z.enum(['REFUND', 'VOID', 'CHARGEBACK']),
    amountCents: z.number(),
    at: date,
    told: z.optional(told),
  }),
  z.object({ kind: z.literal('told'), ...told.shape }),
  z.object({ kind: z.literal('delivered'), id: z.string() }),
]);
type Entry = z.output<typeof entry>;

export interface Journal {
  /** What was there when it was opened. */
  readonly sales: ReadonlyMap<string, SandboxSale>;
  readonly reversals: readonly Reversal[];
  /** Posts that nobody has answered yet, by their ids, in the order they were to be told. */
  readonly undelivered: ReadonlyMap<string, Message>;
  /** On disk when it returns: after kill -9 it is still known. */
  note(entry: Entry): void;
}

const lineOf = (one: Entry) => `${JSON.stringify(one)}\n`;

function entriesOf(file: string): Entry[] {
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
      // The end of the last line, or a line cut by a crash.
      return [];
    }
  });
}

/**
 * Opens the journal in `folder`, made if it isn't there, and writes it anew without what is settled.
 * @param mostSales how many payments are remembered, the latest
 */
export function openJournal(folder: string, mostSales: number): Journal {
  const file = path.join(folder, 'ccbill.jsonl');
  const sales = new Map<string, SandboxSale>();
  const reversals: Reversal[] = [];
  const undelivered = new Map<string, Message>();
  for (const one of entriesOf(file)) {
    if ('told' in one && one.told) undelivered.set(one.told.id, one.told.message);
    if (one.kind === 'sale') sales.set(one.sale.id, { ...one.sale, reversedCents: 0 });
    else if (one.kind === 'told') undelivered.set(one.id, one.message);
    else if (one.kind === 'delivered') undelivered.delete(one.id);
    else {
      const { saleId, type, amountCents, at } = one;
      const reversed = sales.get(saleId);
      if (!reversed) continue;
      reversed.reversedCents += amountCents;
      reversals.push({ type, sale: reversed, amountCents, at });
    }
  }
  for (const id of [...sales.keys()].slice(0, Math.max(0, sales.size - mostSales))) sales.delete(id);
  const kept: Entry[] = [
    ...[...sales.values()].map((one): Entry => ({ kind: 'sale', sale: one })),
    ...reversals.map(({ sale: { id: saleId }, ...rest }): Entry => ({ kind: 'reversal', saleId, ...rest })),
    ...[...undelivered].map(([id, message]): Entry => ({ kind: 'told', id, message })),
  ];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, kept.map(lineOf).join(''), { flush: true, mode: 0o600 });
  renameSync(`${file}.new`, file);
  return { sales, reversals, undelivered, note: (one) => appendFileSync(file, lineOf(one), { flush: true }) };
}

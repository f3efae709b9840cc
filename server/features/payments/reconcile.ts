/** Compares a day of the processor's export with our deposits and lists what differs; moves nothing. */
import type { Context } from '../../kernel/context.ts';
import { createDataLink, type DataLink, type ExportRow } from './ccbill/datalink.ts';
import { CCBILL } from './ccbill/ours.ts';
import { arizonaText, instantOf } from './ccbill/values.ts';
import { type DepositRow, depositsBySubscriptions, depositsPaidBetween } from './deposits-store.ts';

export type Difference = {
  kind: 'sale unknown here' | 'sale missing there' | 'amount differs' | 'reversal not booked here' | 'row unreadable';
  subscriptionId: string | null;
  depositId: string | null;
  /** What the processor says, in cents; null when it says nothing. */
  theirsCents: number | null;
  oursCents: number | null;
};

export type Reconciliation = { day: string; sales: number; reversals: number; differences: Difference[] };

const DAY_MS = 24 * 60 * 60 * 1000;

/** DataLink as configured; undefined without credentials. */
export function dataLinkOf({ config }: Pick<Context, 'config'>): DataLink | undefined {
  const { dataLink, account, subaccount } = config.payments;
  return dataLink && createDataLink({ ...dataLink, account, subaccount });
}

function sumBySubscription(rows: readonly ExportRow[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { subscriptionId, amountCents = 0 } of rows)
    sums.set(subscriptionId, (sums.get(subscriptionId) ?? 0) + amountCents);
  return sums;
}

function saleDifferences(theirs: ReadonlyMap<string, number>, ours: ReadonlyMap<string, DepositRow>): Difference[] {
  const found: Difference[] = [];
  for (const [subscriptionId, theirsCents] of theirs) {
    const deposit = ours.get(subscriptionId);
    if (deposit?.payable_cents === theirsCents) continue;
    const kind = deposit ? 'amount differs' : 'sale unknown here';
    found.push({
      kind,
      subscriptionId,
      depositId: deposit?.id ?? null,
      theirsCents,
      oursCents: deposit?.payable_cents ?? null,
    });
  }
  return found;
}

/** A day's export tells that day's reversals; ours are kept as a sum, so ours may be more, but never less. */
function reversalDifferences(theirs: ReadonlyMap<string, number>, ours: ReadonlyMap<string, DepositRow>): Difference[] {
  const found: Difference[] = [];
  for (const [subscriptionId, theirsCents] of theirs) {
    const deposit = ours.get(subscriptionId);
    const oursCents = deposit?.reversed_payable_cents ?? 0;
    // A void and a refund of one sale can both be told; no more than was paid can be taken back.
    if (deposit && oursCents >= Math.min(theirsCents, deposit.payable_cents)) continue;
    found.push({
      kind: 'reversal not booked here',
      subscriptionId,
      depositId: deposit?.id ?? null,
      theirsCents,
      oursCents,
    });
  }
  return found;
}

/**
 * Compares one day of Arizona, by which CCBill counts.
 * @param day `YYYY-MM-DD`
 * @throws RangeError when it is no day; Error when DataLink refuses or cannot be reached
 */
export async function reconcileDay(ctx: Context, dataLink: DataLink, day: string): Promise<Reconciliation> {
  const from = instantOf(`${day} 00:00:00`);
  if (!from) throw new RangeError(`not a day: ${day}`);
  const to = new Date(from.getTime() + DAY_MS);
  const { rows, unreadable } = await dataLink.exportRows(from, new Date(to.getTime() - 1000));
  const isSale = ({ type }: ExportRow) => type === 'NEW' || type === 'REBILL';
  const sales = sumBySubscription(rows.filter(isSale));
  const reversals = sumBySubscription(rows.filter((row) => !isSale(row) && row.amountCents !== undefined));
  const known = await depositsBySubscriptions(ctx.db, CCBILL, [...new Set([...sales.keys(), ...reversals.keys()])]);
  const bySubscription = new Map(
    known.flatMap((deposit) =>
      deposit.processor_subscription_id === null ? [] : [[deposit.processor_subscription_id, deposit] as const],
    ),
  );

  // Told late, a sale is paid here on the next day; so what is missing there is looked for by when it was credited here.
  const credited = await depositsPaidBetween(ctx.db, CCBILL, from, to);
  const missing = credited.filter(
    ({ processor_subscription_id: id, created_at: at }) => id !== null && !sales.has(id) && at >= from,
  );
  return {
    day,
    sales: sales.size,
    reversals: reversals.size,
    differences: [
      ...saleDifferences(sales, bySubscription),
      ...missing.map(
        (deposit): Difference => ({
          kind: 'sale missing there',
          subscriptionId: deposit.processor_subscription_id,
          depositId: deposit.id,
          theirsCents: null,
          oursCents: deposit.payable_cents,
        }),
      ),
      ...reversalDifferences(reversals, bySubscription),
      ...unreadable.map(
        (): Difference => ({
          kind: 'row unreadable',
          subscriptionId: null,
          depositId: null,
          theirsCents: null,
          oursCents: null,
        }),
      ),
    ],
  };
}

/** Compares yesterday and tells the operator in the log; nothing without credentials. Run once a day. */
export async function reconcileYesterday(ctx: Context): Promise<void> {
  const dataLink = dataLinkOf(ctx);
  if (!dataLink || ctx.config.payments.isSandbox) return;
  const day = arizonaText(new Date(ctx.clock.now().getTime() - DAY_MS)).slice(0, 10);
  const result = await reconcileDay(ctx, dataLink, day);
  if (result.differences.length === 0)
    ctx.log.info({ day, sales: result.sales }, 'the processor’s export and our deposits agree');
  else
    ctx.log.error(
      { day, differences: result.differences.slice(0, 50), count: result.differences.length },
      'the processor’s export and our deposits differ',
    );
}

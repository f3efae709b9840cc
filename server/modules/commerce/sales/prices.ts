/** Current price limits: those of the operator, otherwise the defaults of the release. */

import { PRICE_KINDS } from '@stagedoor/contract/commerce/price-limits.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { asCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import {
  canBeFree,
  DEFAULT_PRICES,
  formatPriceRule,
  type PriceKind,
  type PriceLimits,
} from '@stagedoor/contract/shared/prices.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    'prices.changed': Record<string, never>;
  }
}

type Row = { kind: string; minCents: number; maxCents: number };
const LIMITS: SqlStatement = {
  name: 'sales-price-limits',
  text: 'select kind, min_cents as "minCents", max_cents as "maxCents" from sales_price_limits',
};
const SET: SqlStatement = {
  name: 'sales-set-price-limit',
  text: `insert into sales_price_limits (kind, min_cents, max_cents) values ($1, $2, $3)
    on conflict (kind) do update set min_cents = excluded.min_cents, max_cents = excluded.max_cents`,
};
const CHECK_PRICE: SqlStatement = { name: 'sales-price-within', text: 'select sales_require_price($1, $2, $3, $4)' };

export async function loadPriceLimits(db: Executor): Promise<PriceLimits> {
  const rows = await db.run<Row>(LIMITS, []);
  const set = rows.map(({ kind, minCents, maxCents }) => [kind, { min: toUsd(minCents), max: toUsd(maxCents) }]);
  return { ...DEFAULT_PRICES, ...Object.fromEntries(set) };
}

const hasSameLimits = (kind: PriceKind, one: PriceLimits, other: PriceLimits) =>
  one[kind].min === other[kind].min && one[kind].max === other[kind].max;

export async function listChangedPriceLimits(db: Executor): Promise<Partial<PriceLimits>> {
  const limits = await loadPriceLimits(db);
  const changed = PRICE_KINDS.filter((kind) => !hasSameLimits(kind, limits, DEFAULT_PRICES));
  return Object.fromEntries(changed.map((kind) => [kind, limits[kind]]));
}

/** Changes the limits, under `lockFees`. Existing prices stay valid. */
export async function savePriceLimits(tx: DbTransaction, from: PriceLimits, to: PriceLimits): Promise<void> {
  for (const kind of PRICE_KINDS.filter((one) => !hasSameLimits(one, from, to)))
    await tx.run(SET, [kind, toCents(to[kind].min), toCents(to[kind].max)]);
  await tx.emit('prices.changed', {});
}

export function toPriceCheckValues(kind: PriceKind): [PriceKind, number, number] {
  const { min, max } = DEFAULT_PRICES[kind];
  return [kind, toCents(min), toCents(max)];
}

export async function translatePriceRefusal<T>(kind: PriceKind, field: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'SD414' && 'detail' in error)) throw error;
    const [min = 0, max = 0] = String(error.detail)
      .split(' ')
      .map((cents) => toUsd(Number(cents)));
    throw createFieldError(field, formatPriceRule(kind, { min, max }));
  }
}

const FIELDS: Readonly<Record<PriceKind, string>> = {
  tip: 'amount',
  post: 'price',
  chatMedia: 'price',
  callRate: 'videoRate',
  addFunds: 'amount',
  subscription: 'price',
};

/**
 * Throws VALIDATION for a price beyond the current limits. A price of 0 is valid where free is allowed. Call it in the
 * transaction that sets the price, unless the request is a retry or the price is unchanged.
 */
export async function requirePriceInLimits(
  db: Executor,
  kind: PriceKind,
  cents: number,
  field: string = FIELDS[kind],
): Promise<void> {
  if (cents === 0 && canBeFree(kind)) return;
  const [name, min, max] = toPriceCheckValues(kind);
  await translatePriceRefusal(kind, field, db.run(CHECK_PRICE, [name, asCents(cents), min, max]));
}

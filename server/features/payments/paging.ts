/** Small readings of a list's query. */

/** The least whole number of cents that is no less than an amount in USD; nothing for nothing. */
export function centsAtLeast(usd: number | undefined): number | undefined {
  return usd === undefined ? undefined : Math.ceil(Math.round(usd * 10_000) / 100);
}

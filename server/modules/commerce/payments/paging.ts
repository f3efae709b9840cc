/** Converts USD to cents, rounded up. */
export function toCentsRoundedUp(usd: number | undefined): number | undefined {
  return usd === undefined ? undefined : Math.ceil(Math.round(usd * 10_000) / 100);
}

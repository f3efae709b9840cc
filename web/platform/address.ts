import { PATHS } from '@stagedoor/contract/shared/addresses.ts';

/**
 * Returns the address of the add-funds dialog.
 * @param missing The missing amount in USD, if known, which prefills the dialog.
 * @param next The internal path to continue to afterwards.
 */
export function addFundsHref(missing: number | undefined, next: string): string {
  const query = new URLSearchParams({ add: '1' });
  if (missing !== undefined && missing > 0) query.set('sum', missing.toFixed(2));
  query.set('next', next);
  return `${PATHS.fanWallet}?${query}`;
}

export function parseOption<T extends string>(list: readonly T[], value: string | null): T | undefined {
  return list.find((item) => item === value);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the day (YYYY-MM-DD) in a parameter, or undefined if it is invalid. */
export function parseDayParam(search: URLSearchParams, name: string): string | undefined {
  const text = search.get(name) ?? '';
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/**
 * Returns `path` with the changed parameters of `search`. `undefined` removes a parameter. The page number is reset.
 */
export function buildAddress(
  path: string,
  search: URLSearchParams,
  change: Readonly<Record<string, string | undefined>>,
): string {
  const next = new URLSearchParams(search);
  next.delete('offset');
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
}

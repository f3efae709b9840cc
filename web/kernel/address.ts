/** What an address asks for, and the same address with something changed: filters and tabs are links. */
import { PATHS } from '@stagedoor/contract/addresses.ts';

/**
 * The wallet's dialog for more balance, from where it was too short.
 * @param missing USD that lack, if known; the dialog begins with them
 * @param next where to go on to afterwards: a path of ours
 */
export function addFundsHref(missing: number | undefined, next: string): string {
  const query = new URLSearchParams({ add: '1' });
  if (missing !== undefined && missing > 0) query.set('sum', missing.toFixed(2));
  query.set('next', next);
  return `${PATHS.fanWallet}?${query}`;
}

/** The member of a list that a text names; nothing for anything else. */
export function oneOf<T extends string>(list: readonly T[], value: string | null): T | undefined {
  return list.find((item) => item === value);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The day (YYYY-MM-DD) that an address names; nothing for anything else. */
export function dayIn(search: URLSearchParams, name: string): string | undefined {
  const text = search.get(name) ?? '';
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** `path` with the parameters of `search` after a change; `undefined` takes one out. A change begins at the first page. */
export function addressWith(
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

/** What an address asks for, and the same address with something changed: filters and tabs are links. */

/** The member of a list that a text names; nothing for anything else. */
export function oneOf<T extends string>(list: readonly T[], value: string | null): T | undefined {
  return list.find((item) => item === value);
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

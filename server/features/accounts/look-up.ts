/** Finding people by what their username, name or address begins with or holds, for operators. */
import type { Executor, Statement } from '../../kernel/db.ts';

/** After every text that begins so, in the order of code points. */
const AFTER = '\u{10FFFF}';
const within = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Each beginning by an index of its own, in its order: as many as are asked for are read, however many begin so. */
const begins = (what: string) =>
  `(select id, lower(email::text) = $1 as "isAddress" from users where ${what} collate "C" >= $1 and ${what} collate "C" < $2 and type <> 'operator' order by ${what} collate "C" limit $3)`;
const BEGINS: Statement = {
  name: 'accounts-begin-so',
  text: `select id, "isAddress" from (${['lower(username::text)', 'lower(email::text)', 'lower(name)'].map(begins).join(' union ')}) b limit $3`,
};
const HOLDS: Statement = {
  name: 'accounts-hold-so',
  text: `select id from users where lower(username::text || ' ' || name || ' ' || email::text) like $1 and type <> 'operator' limit $2`,
};

/**
 * Ids of fans and creators whose username, name or e-mail begins with a text; where those are fewer than `limit` and `isWithin`, also
 * of those that hold it anywhere. Somebody's whole address names them alone. A page costs the same however many accounts there are.
 */
export async function findPeopleLike(
  db: Executor,
  text: string,
  { limit, isWithin }: { limit: number; isWithin: boolean },
): Promise<string[]> {
  const low = text.toLowerCase();
  if (low === '') return [];
  const begun = await db.run<{ id: string; isAddress: boolean }>(BEGINS, [low, low + AFTER, limit]);
  const first = begun.map(({ id }) => id);
  // The end of an address is everybody's: looking for it within others grows with their number.
  if (first.length >= limit || !isWithin || begun.some(({ isAddress }) => isAddress)) return first;
  const more = (await db.run<{ id: string }>(HOLDS, [within(low), limit])).map(({ id }) => id);
  return [...new Set([...first, ...more])].slice(0, limit);
}

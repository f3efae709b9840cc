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
const HELD = "lower(username::text || ' ' || name || ' ' || email::text) like $1 and type <> 'operator'";
/** What a good part of all people hold is found among the newest. By its index all who hold it are gathered before the first is answered. */
const NEWEST = 500;
const HOLD_OF_NEWEST: Statement = {
  name: 'accounts-newest-hold-so',
  text: `select id from (select * from users order by id desc limit ${NEWEST}) newest where ${HELD} limit $2`,
};
const HOLD: Statement = { name: 'accounts-hold-so', text: `select id from users where ${HELD} limit $2` };

/**
 * Ids of fans and creators whose username, name or e-mail begins with a text; where those are fewer than `limit` and `isWithin`, also
 * of those that hold it anywhere, who joined last before others. Somebody's whole address names them alone. A page costs the same however
 * many accounts there are: who holds it is few, or fills the page from the newest.
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
  const held = new Set(first);
  for (const statement of [HOLD_OF_NEWEST, HOLD]) {
    for (const { id } of await db.run<{ id: string }>(statement, [within(low), limit])) held.add(id);
    if (held.size >= limit) break;
  }
  return [...held].slice(0, limit);
}

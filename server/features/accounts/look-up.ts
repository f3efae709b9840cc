/** Finding people by what their username, name or address begins with or holds, for operators. */
import type { Executor, Statement } from '../../kernel/db.ts';
import type { User } from './store.ts';

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
/** One account in 256, by the random end of their ids: what fills no page there is held by few thousand. */
const SAMPLE = 'get_byte(uuid_send(id), 15) = 0';
const holds = (among: string) =>
  `(select id from users where ${among} and lower(username::text || ' ' || name || ' ' || email::text) like $1 and type <> 'operator' limit $2)`;
/**
 * An index of letters reads everybody who holds them before it answers. What very many hold fills a page from the sample, which has an
 * index of its own; the second part runs only where the first leaves room, and then few hold it.
 */
const HOLDS: Statement = {
  name: 'accounts-hold-so',
  text: `${holds(SAMPLE)} union all ${holds(`not (${SAMPLE})`)} limit $2`,
};
const FOUND: Statement = {
  name: 'accounts-found',
  text: `select u.id, u.type, u.username, u.name, u.email, u.is_blocked from unnest($1::uuid[]) with ordinality as f(id, place)
    join users u using (id) order by f.place`,
};

export type FoundPerson = Pick<User, 'id' | 'type' | 'username' | 'name' | 'email' | 'is_blocked'>;

/**
 * Fans and creators whose username, name or e-mail begins with a text; where those are fewer than `limit` and `isWithin`, also those
 * that hold it anywhere. Somebody's whole address names them alone. A page costs the same however many accounts there are.
 */
export async function findPeopleLike(
  db: Executor,
  text: string,
  { limit, isWithin }: { limit: number; isWithin: boolean },
): Promise<FoundPerson[]> {
  const low = text.toLowerCase();
  if (low === '') return [];
  const begun = await db.run<{ id: string; isAddress: boolean }>(BEGINS, [low, low + AFTER, limit]);
  const ids = new Set(begun.map(({ id }) => id));
  // The end of an address is everybody's: looking for it within others grows with their number.
  if (ids.size < limit && isWithin && !begun.some(({ isAddress }) => isAddress))
    for (const { id } of await db.run<{ id: string }>(HOLDS, [within(low), limit])) ids.add(id);
  return ids.size === 0 ? [] : db.run<FoundPerson>(FOUND, [[...ids].slice(0, limit)]);
}

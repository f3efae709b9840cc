import type { Executor, Statement } from '../../kernel/db.ts';
import type { User } from './store.ts';

/** The character sorts after every text with the same prefix. */
const AFTER = '\u{10FFFF}';
const within = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Each column has its own prefix index, so at most `limit` rows are read per column. */
const begins = (what: string) =>
  `(select id, lower(email::text) = $1 as "isAddress" from users where ${what} collate "C" >= $1 and ${what} collate "C" < $2 and type <> 'operator' order by ${what} collate "C" limit $3)`;
const BEGINS: Statement = {
  name: 'accounts-begin-so',
  text: `select id, "isAddress" from (${['lower(username::text)', 'lower(email::text)', 'lower(name)'].map(begins).join(' union ')}) b limit $3`,
};
/** The sample is one account in 256. A text that fills no page from it occurs in few accounts. */
const SAMPLE = 'get_byte(uuid_send(id), 15) = 0';
const holds = (among: string) =>
  `(select id from users where ${among} and lower(username::text || ' ' || name || ' ' || email::text) like $1 and type <> 'operator' limit $2)`;
/**
 * A trigram index reads all matches first. A frequent text fills the page from the sample, which has its own index, so
 * the second part runs only for rare ones.
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
 * Finds users by prefix, and with `isWithin` by any part if there are fewer than `limit`. A complete address returns
 * only its account. The cost does not grow with the number of accounts.
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
  // Many accounts share the domain of a complete address, so searching for it within others would be slow.
  if (ids.size < limit && isWithin && !begun.some(({ isAddress }) => isAddress))
    for (const { id } of await db.run<{ id: string }>(HOLDS, [within(low), limit])) ids.add(id);
  return ids.size === 0 ? [] : db.run<FoundPerson>(FOUND, [[...ids].slice(0, limit)]);
}

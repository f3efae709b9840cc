import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import type { User } from './store.ts';

/** The character sorts after every text with the same prefix. */
const AFTER = '\u{10FFFF}';
const toLikePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Each column has its own prefix index, so at most `limit` rows are read per column. */
const toPrefixQuery = (expression: string, text: string) =>
  `(select id, lower(email::text) = $1 as "isAddress" from users where ${expression} collate "C" >= ${text} and ${expression} collate "C" < ${text} || $2 and type <> 'operator' order by ${expression} collate "C" limit $3)`;
const SEARCH_PREFIX: SqlStatement = {
  name: 'accounts-search-prefix',
  text: `select id, "isAddress" from (${[
    toPrefixQuery('lower(username::text)', '$1'),
    toPrefixQuery('lower(email::text)', '$1'),
    toPrefixQuery('search_name', 'unaccent_lower_spaced($1)'),
  ].join(' union ')}) b limit $3`,
};
/** The sample is one account in 256. A text that fills no page from it occurs in few accounts. */
const SAMPLE = 'get_byte(uuid_send(id), 15) = 0';
const toSubstringQuery = (condition: string) =>
  `(select id from users where ${condition} and lower(username::text) || ' ' || search_name || ' ' || lower(email::text) like unaccent_lower_spaced($1) and type <> 'operator' limit $2)`;
/**
 * A trigram index reads all matches first. A frequent text fills the page from the sample, which has its own index, so
 * the second part runs only for rare ones.
 */
const SEARCH_SUBSTRING: SqlStatement = {
  name: 'accounts-search-substring',
  text: `${toSubstringQuery(SAMPLE)} union all ${toSubstringQuery(`not (${SAMPLE})`)} limit $2`,
};
const LOAD_FOUND: SqlStatement = {
  name: 'accounts-found',
  text: `select u.id, u.type, u.username, u.name, u.email, u.is_blocked from unnest($1::uuid[]) with ordinality as f(id, position)
    join users u using (id) order by f.position`,
};

export type FoundUser = Pick<User, 'id' | 'type' | 'username' | 'name' | 'email' | 'is_blocked'>;

/**
 * Finds users by prefix, and with `includesSubstring` by any part if there are fewer than `limit`. A complete address
 * returns only its account. The cost does not grow with the number of accounts.
 */
export async function searchUsers(
  db: Executor,
  text: string,
  { limit, includesSubstring }: { limit: number; includesSubstring: boolean },
): Promise<FoundUser[]> {
  const lowerText = text.normalize('NFKC').toLowerCase();
  if (lowerText === '') return [];
  const prefixMatches = await db.run<{ id: string; isAddress: boolean }>(SEARCH_PREFIX, [lowerText, AFTER, limit]);
  const ids = new Set(prefixMatches.map(({ id }) => id));
  // Many accounts share the domain of a complete address, so searching for it within others would be slow.
  if (ids.size < limit && includesSubstring && !prefixMatches.some(({ isAddress }) => isAddress))
    for (const { id } of await db.run<{ id: string }>(SEARCH_SUBSTRING, [toLikePattern(lowerText), limit])) ids.add(id);
  return ids.size === 0 ? [] : db.run<FoundUser>(LOAD_FOUND, [[...ids].slice(0, limit)]);
}

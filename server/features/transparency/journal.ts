/** A person's own transactions as they stand in the log, each with the proof of its place. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { getJournal } from '@stagedoor/contract/transparency.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { cursorOf, LAST_ID, readIdOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { inclusionProof } from './merkle.ts';
import { readCheckpoint, renamed, vkeyOf } from './note.ts';
import { ownVerifier } from './places.ts';
import { lastCheckpoint, tilesOf } from './store.ts';
import { hashesOf } from './tiles.ts';

/** Newest first: what moved the fan's wallet, what is set aside of it or what is owed, and what left it owed with an empty wallet. */
const OF_FAN: Statement = {
  name: 'transparency-of-fan',
  text: `select id from (
      select l.transaction_id as id from ledger_accounts a join ledger_lines l on l.account_id = a.id
        where a.code = any (array['liab:fan:' || $1 || ':wallet', 'liab:fan:' || $1 || ':call_hold', 'asset:fan:' || $1 || ':receivable'])
      union select r.reverses_id from ledger_accounts a join ledger_lines l on l.account_id = a.id and l.kind = 'debt'
        join ledger_reversals r on r.transaction_id = l.transaction_id where a.code = 'asset:fan:' || $1 || ':receivable') own
    where id < $2::uuid order by 1 desc limit $3 offset $4`,
};
/** By kind and time, as its index has them, so that a page costs the same wherever it lies; `$2` is the last of the page before. */
const OF_CREATOR: Statement = {
  name: 'transparency-of-creator',
  text: `with place as materialized (
      select kind, created_at, id from sales where id = $2::uuid and creator_id = $1
      union all select (select max(kind) from ledger_kinds), 'infinity', $2::uuid where $2::uuid = '${LAST_ID}')
    select s.id from sales s where s.creator_id = $1
      and (s.kind, s.created_at, s.id) < ((select kind from place), (select created_at from place), (select id from place))
    order by s.kind desc, s.created_at desc, s.id desc limit $3 offset $4`,
};
/** Each by itself, so that little is read however far apart they lie. */
const ENTRIES: Statement = {
  name: 'transparency-entries',
  text: `select l.position, transparency_data(l.salt, l.type, r.body, r.sealed) as data,
      encode(substring(l.salt, 17, 16), 'hex') as salt, r.sealed::text as text
    from unnest($1::uuid[]) with ordinality as given (id, at) join transparency_leaves l on l.row_id = given.id and l.type = 'transaction'
    cross join lateral (select body, sealed from transparency_rows(given.id, given.id) where type = 'transaction') r order by given.at`,
};

type Entry = { position: number; data: string; salt: string; text: string };

async function idsOf(db: Executor, actor: Actor, page: { before: string; limit: number; skip: number }) {
  const statement = actor.type === 'customer' ? OF_FAN : OF_CREATOR;
  const rows = await db.run<{ id: string }>(statement, [actor.userId, page.before, page.limit, page.skip]);
  return rows.map(({ id }) => id);
}

/**
 * The actor's transactions (of a creator: the sales that paid them) that have their place in the log. The newest appear
 * within a minute. Throws NOT_FOUND when nothing was signed yet.
 */
export async function viewJournal(
  { db, config }: Pick<Context, 'db' | 'config'>,
  actor: Actor,
  { limit, offset }: QueryOf<typeof getJournal>,
): Promise<AnswerOf<typeof getJournal>> {
  const ids = await idsOf(db, actor, { ...readIdOffset(offset), limit: limit + 1 });
  const shown = ids.slice(0, limit);
  const entries = await db.run<Entry>(ENTRIES, [shown]);
  // After the entries, so that it counts them all.
  const last = await lastCheckpoint(db);
  if (!last) throw new AppError('NOT_FOUND');
  const read = hashesOf(tilesOf(db));
  const data = await Promise.all(
    entries.map(async ({ position, data: text, salt, text: sealed }) => ({
      position,
      data: text,
      sealed: actor.type === 'customer' ? { salt, text: sealed } : null,
      proof: (await inclusionProof(position, last.size, read)).map((hash) => hash.toString('base64')),
    })),
  );
  const end = shown.at(-1);
  const next = ids.length > limit && end !== undefined ? { nextOffset: cursorOf(end) } : {};
  // Under the name of which it was signed, should our address have changed since.
  const key = vkeyOf(renamed(ownVerifier(config), readCheckpoint(last.note).origin));
  return { checkpoint: last.note, key, data, limit, ...next };
}

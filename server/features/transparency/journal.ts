/** A person's own transactions as they stand in the log, each with the proof of its place. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { idsOf, transactionId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, FileAnswer, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { getJournal, Journal, JournalEntry, journalPlaces } from '@stagedoor/contract/transparency.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { cursorOf, LAST_ID, readIdOffset } from '../../kernel/offset.ts';
import type { Actor } from '../../kernel/session.ts';
import { inclusionProof, leafHash, type ReadHash, rootByInclusion } from './merkle.ts';
import { openCheckpoint, readCheckpoint, renamed, vkeyOf } from './note.ts';
import { allVerifiers, ownVerifier } from './places.ts';
import { type LeafType, lastCheckpoint, tilesOf } from './store.ts';
import { hashesOf } from './tiles.ts';

/** What anybody has, or owes, for whom they brought in. */
const AFFILIATES = `'liab:affiliate:' || $1 || ':available', 'liab:affiliate:' || $1 || ':payout_reserved', 'asset:affiliate:' || $1 || ':receivable'`;
/** What was earned by bringing people in, and what was taken back of it, before `$2`. What cleared, was paid out or is owed has lines. */
const COMMISSIONS = `(select id from sales_commissions where affiliate_id = $1::uuid and id < $2::uuid order by id desc limit $3::int + $4::int)
  union select r.transaction_id from sales_commissions c join ledger_reversals r on r.reverses_id = c.id where c.affiliate_id = $1::uuid and c.reversed_cents > 0`;
/** Newest first: what moved the fan's wallet, what is set aside of it or what is owed, what left it owed with an empty wallet, and commission. */
const OF_FAN: Statement = {
  name: 'transparency-of-fan',
  text: `select id from (
      select l.transaction_id as id from ledger_accounts a join ledger_lines l on l.account_id = a.id
        where a.code = any (array['liab:fan:' || $1 || ':wallet', 'liab:fan:' || $1 || ':call_hold', 'asset:fan:' || $1 || ':receivable', ${AFFILIATES}])
      union select r.reverses_id from ledger_accounts a join ledger_lines l on l.account_id = a.id and l.kind = 'debt'
        join ledger_reversals r on r.transaction_id = l.transaction_id where a.code = 'asset:fan:' || $1 || ':receivable'
      union ${COMMISSIONS}) own
    where id < $2::uuid order by 1 desc limit $3 offset $4`,
};
/** All that a creator has or owes. */
const OF_CREATORS = `any (array['liab:creator:' || $1 || ':pending', 'liab:creator:' || $1 || ':available', 'liab:creator:' || $1 || ':payout_reserved',
  'asset:creator:' || $1 || ':receivable', ${AFFILIATES}])`;
/**
 * What moved a creator's money: first, newest first, all but sales (cleared, given back, paid out, come back, owed, kept, corrected, commission), then
 * sales by kind and time, as their index has them. `$2` is the last of the page before, and says where among them it stood.
 */
const OF_CREATOR: Statement = {
  name: 'transparency-of-creator',
  text: `with place as materialized (
      select kind, created_at, id from sales where id = $2::uuid and creator_id = $1::uuid
      union all select (select max(kind) from ledger_kinds), 'infinity', $2::uuid where not exists (select from sales where id = $2::uuid)
    ), moved as (
      select l.transaction_id as id from ledger_accounts a join ledger_lines l on l.account_id = a.id where a.code = ${OF_CREATORS}
      union select r.transaction_id from sales s join ledger_reversals r on r.reverses_id = s.id where s.creator_id = $1::uuid and s.reversed_cents > 0
      union ${COMMISSIONS}
    )
    select id from (
      (select 0 as part, m.id, null::text as kind, null::timestamptz as created_at from moved m
        where m.id < $2::uuid and not exists (select from sales s where s.id = $2::uuid)
        order by m.id desc limit $3::int + $4::int)
      union all
      (select 1, s.id, s.kind, s.created_at from sales s where s.creator_id = $1::uuid
        and (s.kind, s.created_at, s.id) < ((select kind from place), (select created_at from place), (select id from place))
        order by s.kind desc, s.created_at desc, s.id desc limit $3::int + $4::int)) own
    order by part, case when part = 0 then id end desc, kind desc, created_at desc, id desc limit $3 offset $4`,
};
/** Each by itself, so that little is read however far apart they lie. `$2`: of a commission the leaf that its affiliate may see. */
const ENTRIES: Statement = {
  name: 'transparency-entries',
  text: `select l.position, l.type, transparency_data(l.salt, l.type, r.body, r.sealed) as data,
      encode(substring(l.salt, 17, 16), 'hex') as salt, r.sealed::text as text, given.id
    from unnest($1::uuid[]) with ordinality as given (id, at) join transparency_leaves l on l.row_id = given.id
      and l.type = case when $2 and exists (select from sales_commissions c where c.id = given.id) then 'commission' else 'transaction' end
    cross join lateral (select body, sealed from transparency_rows(given.id, given.id) where type = l.type) r order by given.at`,
};

type Entry = { position: number; type: LeafType; data: string; salt: string; text: string; id: string };

const entriesOf = (db: Executor, ids: readonly string[], isOwn: boolean) => db.run<Entry>(ENTRIES, [ids, isOwn]);

const proofOf = async (position: number, size: number, read: ReadHash) =>
  (await inclusionProof(position, size, read)).map((hash) => hash.toString('base64'));

/** As they stand in a leaf, which no words of people in it can read like. */
const LEG_OF = { affiliate: '"code": "liab:affiliate:', fan: '"code": "liab:fan:' };

/** What only the owner of a wallet sees; of commission that is nobody, as it would say who bought what. */
function isSealedFor(actor: Actor, { type, data }: Entry): boolean {
  if (actor.type !== 'customer' || type !== 'transaction') return false;
  return !data.includes(LEG_OF.affiliate) || data.includes(LEG_OF.fan);
}

/** An entry as its owner gets it, in the log of `size` leaves. */
async function presentEntry(entry: Entry, actor: Actor, size: number, read: ReadHash): Promise<JournalEntry> {
  const { position, data, salt, text } = entry;
  const sealed = isSealedFor(actor, entry) ? { salt, text } : null;
  return { position, data, sealed, proof: await proofOf(position, size, read) };
}

async function ownIds(db: Executor, actor: Actor, page: { before: string; limit: number; skip: number }) {
  const statement = actor.type === 'customer' ? OF_FAN : OF_CREATOR;
  const rows = await db.run<{ id: string }>(statement, [actor.userId, page.before, page.limit, page.skip]);
  return rows.map(({ id }) => id);
}

type Kept = Pick<Context, 'db' | 'config'>;

/**
 * The actor's transactions that have their place in the log: all that moved their money. The newest appear
 * within a minute. Throws NOT_FOUND when nothing was signed yet.
 */
export async function viewJournal(
  { db, config }: Kept,
  actor: Actor,
  { limit, offset }: QueryOf<typeof getJournal>,
): Promise<AnswerOf<typeof getJournal>> {
  const ids = await ownIds(db, actor, { ...readIdOffset(offset), limit: limit + 1 });
  const shown = ids.slice(0, limit);
  const entries = await entriesOf(db, shown, true);
  // After the entries, so that it counts them all.
  const last = await lastCheckpoint(db);
  if (!last) throw new AppError('NOT_FOUND');
  const read = hashesOf(tilesOf(db));
  const data = await Promise.all(entries.map((entry) => presentEntry(entry, actor, last.size, read)));
  const end = shown.at(-1);
  const next = ids.length > limit && end !== undefined ? { nextOffset: cursorOf(end) } : {};
  return { checkpoint: last.note, key: keyOf(config, last.note), data, limit, ...next };
}
/** Under the name of which it was signed, should our address have changed since. */
function keyOf(config: Kept['config'], note: string): string {
  return vkeyOf(renamed(ownVerifier(config), readCheckpoint(note).origin));
}

/** Of some ids the actor's own: what moved a fan's money, or a creator's. */
const OWN_OF_FAN: Statement = {
  name: 'transparency-own-of-fan',
  text: `select t.id from ledger_transactions t where t.id = any ($2::uuid[]) and t.account_ids && array(select id from ledger_accounts
    where code = any (array['liab:fan:' || $1 || ':wallet', 'liab:fan:' || $1 || ':call_hold', 'asset:fan:' || $1 || ':receivable',
      'liab:affiliate:' || $1 || ':pending', ${AFFILIATES}]))`,
};
const OWN_OF_CREATOR: Statement = {
  name: 'transparency-own-of-creator',
  text: `select t.id from ledger_transactions t where t.id = any ($2::uuid[])
    and t.account_ids && array(select id from ledger_accounts where code = ${OF_CREATORS} or code = 'liab:affiliate:' || $1 || ':pending')`,
};

export type ProvenPlace = {
  id: string;
  position: number;
  /** As it is kept now it hashes to the leaf that its proof leads from to the root of the checkpoint, whose signature is ours. */
  isVerified: boolean;
  checkpointAt: string;
  checkpoint: string;
  /** Of the log that the checkpoint signs. */
  size: number;
  /** In base64. */
  leaf: string;
  path: string[];
};

/**
 * Where each of some transactions stands in the log, verified as anybody would; whose they are is the caller's to ask. `isOwn`: by the
 * leaves that their owners may see.
 */
export async function provePlaces({ db, config }: Kept, ids: readonly string[], isOwn = false): Promise<ProvenPlace[]> {
  const entries = await entriesOf(db, ids, isOwn);
  const last = await lastCheckpoint(db);
  if (!last) return [];
  const { origin } = readCheckpoint(last.note);
  const ours = allVerifiers(config).map((verifier) => renamed(verifier, origin));
  const { size, root } = openCheckpoint(last.note, ours);
  const read = hashesOf(tilesOf(db));
  const places = entries
    .filter(({ position }) => position < size)
    .map(async ({ id, position, data }) => {
      const proof = await inclusionProof(position, size, read);
      const leaf = leafHash(Buffer.from(data));
      const isVerified = rootByInclusion(leaf, position, size, proof)?.equals(root) ?? false;
      const path = proof.map((hash) => hash.toString('base64'));
      const checkpointAt = last.madeAt.toISOString();
      return {
        id,
        position,
        isVerified,
        checkpointAt,
        checkpoint: last.note,
        size,
        leaf: leaf.toString('base64'),
        path,
      };
    });
  return Promise.all(places);
}

/** Where each of some own transactions stands in the log. */
export async function viewPlaces(
  kept: Kept,
  actor: Actor,
  { ids }: QueryOf<typeof journalPlaces>,
): Promise<AnswerOf<typeof journalPlaces>> {
  const statement = actor.type === 'customer' ? OWN_OF_FAN : OWN_OF_CREATOR;
  const own = await kept.db.run<{ id: string }>(statement, [actor.userId, idsOf(ids)]);
  const places = await provePlaces(
    kept,
    own.map(({ id }) => id),
    true,
  );
  return { data: places.map((place) => ({ ...place, id: z.parse(transactionId, place.id) })) };
}

/** Read at once; each takes a proof of some twenty hashes. */
const EXPORTED_AT_ONCE = 200;

/**
 * The actor's whole journal as one file, as {@link viewJournal} answers it page by page, but all against one checkpoint. It is
 * made while it is read, so that a long one is never in memory. Throws NOT_FOUND when nothing was signed yet.
 */
export async function writeJournal({ db, config }: Kept, actor: Actor): Promise<FileAnswer> {
  const last = await lastCheckpoint(db);
  if (!last) throw new AppError('NOT_FOUND');
  return {
    name: 'stagedoor-journal.json',
    type: 'application/json',
    body: exported(db, actor, { checkpoint: last.note, key: keyOf(config, last.note) }, last.size),
  };
}

async function* exported(db: Executor, actor: Actor, head: Pick<Journal, 'checkpoint' | 'key'>, size: number) {
  yield Buffer.from(`${JSON.stringify({ ...head, limit: 0 }).slice(0, -1)},"data":[`);
  let separator = '\n';
  for (let before: string | undefined = LAST_ID; before !== undefined; ) {
    const ids: string[] = await ownIds(db, actor, { before, limit: EXPORTED_AT_ONCE, skip: 0 });
    const entries = await entriesOf(db, ids, true);
    const read = hashesOf(tilesOf(db));
    for (const entry of entries.filter(({ position }) => position < size)) {
      yield Buffer.from(`${separator}${JSON.stringify(await presentEntry(entry, actor, size, read))}`);
      separator = ',\n';
    }
    before = ids.at(-1);
  }
  yield Buffer.from('\n]}\n');
}

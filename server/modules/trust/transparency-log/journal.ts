import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { parseIdList, transactionId } from '@stagedoor/contract/shared/ids.ts';
import type { FileResponse, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type {
  getJournal,
  getJournalProofStatus,
  Journal,
  JournalEntry,
} from '@stagedoor/contract/trust/transparency-log.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { LAST_ID, parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { createOwnVerifier, listVerifiers } from './log-paths.ts';
import { buildInclusionProof, calculateRootFromProof, hashLeaf, type ReadHash } from './merkle.ts';
import { formatVkey, openCheckpoint, readCheckpoint, renameVerifier } from './signed-note.ts';
import { createTileReader, findLastCheckpoint, type LeafType } from './store.ts';
import { createHashReader } from './tiles.ts';

const AFFILIATES = `'liab:affiliate:' || $1 || ':available', 'liab:affiliate:' || $1 || ':payout_reserved', 'asset:affiliate:' || $1 || ':receivable'`;
/** Commissions earned and reversed before `$2`. Cleared, paid out or owed commission has ledger lines. */
const COMMISSIONS = `(select id from sales_commissions where affiliate_id = $1::uuid and id < $2::uuid order by id desc limit $3::int + $4::int)
  union select r.transaction_id from sales_commissions c join ledger_reversals r on r.reverses_id = c.id where c.affiliate_id = $1::uuid and c.reversed_cents > 0`;
/**
 * Newest first: transactions that moved the fan's wallet, held funds or debt, reversals that created a debt with an
 * empty wallet, and commissions.
 */
const OF_FAN: SqlStatement = {
  name: 'transparency-log-of-fan',
  text: `select id from (
      select l.transaction_id as id from ledger_accounts a join ledger_lines l on l.account_id = a.id
        where a.code = any (array['liab:fan:' || $1 || ':wallet', 'liab:fan:' || $1 || ':call_hold', 'asset:fan:' || $1 || ':receivable', ${AFFILIATES}])
      union select r.reverses_id from ledger_accounts a join ledger_lines l on l.account_id = a.id and l.kind = 'debt'
        join ledger_reversals r on r.transaction_id = l.transaction_id where a.code = 'asset:fan:' || $1 || ':receivable'
      union ${COMMISSIONS}) own
    where id < $2::uuid order by 1 desc limit $3 offset $4`,
};
const OF_CREATORS = `any (array['liab:creator:' || $1 || ':pending', 'liab:creator:' || $1 || ':available', 'liab:creator:' || $1 || ':payout_reserved',
  'asset:creator:' || $1 || ':receivable', ${AFFILIATES}])`;
/**
 * First everything except sales, newest first. Then sales by kind and time, in the order of their index. `$2` is the
 * last id of the previous page and determines the position in this order.
 */
const OF_CREATOR: SqlStatement = {
  name: 'transparency-log-of-creator',
  text: `with position as materialized (
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
        and (s.kind, s.created_at, s.id) < ((select kind from position), (select created_at from position), (select id from position))
        order by s.kind desc, s.created_at desc, s.id desc limit $3::int + $4::int)) own
    order by part, case when part = 0 then id end desc, kind desc, created_at desc, id desc limit $3 offset $4`,
};
/**
 * Looks up each entry separately, so that few rows are read even if the entries are far from each other. With `$2` a commission is read
 * by the leaf that its affiliate may see.
 */
const ENTRIES: SqlStatement = {
  name: 'transparency-log-entries',
  text: `select l.position, l.type, transparency_data(l.salt, l.type, r.body, r.sealed) as data,
      encode(substring(l.salt, 17, 16), 'hex') as salt, r.sealed::text as text, given.id
    from unnest($1::uuid[]) with ordinality as given (id, at) join transparency_leaves l on l.row_id = given.id
      and l.type = case when $2 and exists (select from sales_commissions c where c.id = given.id) then 'commission' else 'transaction' end
    cross join lateral (select body, sealed from transparency_rows(given.id, given.id) where type = l.type) r order by given.at`,
};

type Entry = { position: number; type: LeafType; data: string; salt: string; text: string; id: string };

const listEntries = (db: Executor, ids: readonly string[], isOwn: boolean) => db.run<Entry>(ENTRIES, [ids, isOwn]);

const buildProof = async (position: number, size: number, read: ReadHash) =>
  (await buildInclusionProof(position, size, read)).map((hash) => hash.toString('base64'));

/** The format in a leaf. Text of users cannot produce it. */
const LEG_MARKS = { affiliate: '"code": "liab:affiliate:', fan: '"code": "liab:fan:' };

/**
 * Only the owner of a wallet sees the sealed part. For commission no one does, because it would reveal who bought what.
 */
function canSeeSealed(actor: Actor, { type, data }: Entry): boolean {
  if (actor.type !== 'customer' || type !== 'transaction') return false;
  return !data.includes(LEG_MARKS.affiliate) || data.includes(LEG_MARKS.fan);
}

async function presentEntry(entry: Entry, actor: Actor, size: number, read: ReadHash): Promise<JournalEntry> {
  const { position, data, salt, text } = entry;
  const sealed = canSeeSealed(actor, entry) ? { salt, text } : null;
  return { position, data, sealed, proof: await buildProof(position, size, read) };
}

async function listOwnIds(db: Executor, actor: Actor, page: { before: string; limit: number; skip: number }) {
  const statement = actor.type === 'customer' ? OF_FAN : OF_CREATOR;
  const rows = await db.run<{ id: string }>(statement, [actor.userId, page.before, page.limit, page.skip]);
  return rows.map(({ id }) => id);
}

type JournalContext = Pick<Context, 'db' | 'config'>;

/**
 * The actor's transactions in the log: everything that moved their money. New ones appear within a minute. Throws
 * NOT_FOUND when nothing was signed yet.
 */
export async function viewJournal(
  { db, config }: JournalContext,
  actor: Actor,
  { limit, offset }: QueryOf<typeof getJournal>,
): Promise<ResponseInputOf<typeof getJournal>> {
  const ids = await listOwnIds(db, actor, { ...parseIdOffset(offset), limit: limit + 1 });
  const shown = ids.slice(0, limit);
  const entries = await listEntries(db, shown, true);
  // Read after the entries, so that the checkpoint covers all of them.
  const last = await findLastCheckpoint(db);
  if (!last) throw new AppError('NOT_FOUND');
  const read = createHashReader(createTileReader(db));
  const data = await Promise.all(entries.map((entry) => presentEntry(entry, actor, last.size, read)));
  const end = shown.at(-1);
  const next = ids.length > limit && end !== undefined ? { nextOffset: toCursor(end) } : {};
  return { checkpoint: last.note, key: getLogKey(config, last.note), data, limit, ...next };
}
/** Uses the name under which the note was signed, because our address may have changed since. */
function getLogKey(config: JournalContext['config'], note: string): string {
  return formatVkey(renameVerifier(createOwnVerifier(config), readCheckpoint(note).origin));
}

const OWN_OF_FAN: SqlStatement = {
  name: 'transparency-log-own-of-fan',
  text: `select t.id from ledger_transactions t where t.id = any ($2::uuid[]) and t.account_ids && array(select id from ledger_accounts
    where code = any (array['liab:fan:' || $1 || ':wallet', 'liab:fan:' || $1 || ':call_hold', 'asset:fan:' || $1 || ':receivable',
      'liab:affiliate:' || $1 || ':pending', ${AFFILIATES}]))`,
};
const OWN_OF_CREATOR: SqlStatement = {
  name: 'transparency-log-own-of-creator',
  text: `select t.id from ledger_transactions t where t.id = any ($2::uuid[])
    and t.account_ids && array(select id from ledger_accounts where code = ${OF_CREATORS} or code = 'liab:affiliate:' || $1 || ':pending')`,
};

export type JournalProof = {
  id: string;
  position: number;
  /**
   * The stored row has the hash of its leaf, the proof leads to the root of the checkpoint, and the checkpoint has our
   * signature.
   */
  isVerified: boolean;
  checkpointAt: string;
  checkpoint: string;
  size: number;
  /** In base64. */
  leaf: string;
  path: string[];
};

/**
 * The verified position of some transactions in the log. The caller checks whose they are. `isOwn` uses the leaves that
 * their owners may see.
 */
export async function createJournalProofs(
  { db, config }: JournalContext,
  ids: readonly string[],
  isOwn = false,
): Promise<JournalProof[]> {
  const entries = await listEntries(db, ids, isOwn);
  const last = await findLastCheckpoint(db);
  if (!last) return [];
  const { origin } = readCheckpoint(last.note);
  const verifiers = listVerifiers(config).map((verifier) => renameVerifier(verifier, origin));
  const { size, root } = openCheckpoint(last.note, verifiers);
  const read = createHashReader(createTileReader(db));
  const proofs = entries
    .filter(({ position }) => position < size)
    .map(async ({ id, position, data }) => {
      const proof = await buildInclusionProof(position, size, read);
      const leaf = hashLeaf(Buffer.from(data));
      const isVerified = calculateRootFromProof(leaf, position, size, proof)?.equals(root) ?? false;
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
  return Promise.all(proofs);
}

export async function viewProofStatus(
  ctx: JournalContext,
  actor: Actor,
  { ids }: QueryOf<typeof getJournalProofStatus>,
): Promise<ResponseInputOf<typeof getJournalProofStatus>> {
  const statement = actor.type === 'customer' ? OWN_OF_FAN : OWN_OF_CREATOR;
  const own = await ctx.db.run<{ id: string }>(statement, [actor.userId, parseIdList(ids)]);
  const proofs = await createJournalProofs(
    ctx,
    own.map(({ id }) => id),
    true,
  );
  return { data: proofs.map((proof) => ({ ...proof, id: z.parse(transactionId, proof.id) })) };
}

const EXPORT_BATCH = 200;

/**
 * The entries of {@link viewJournal} as one file, against one checkpoint. It is generated while it is sent, so that a
 * long one is not held in memory. Throws NOT_FOUND when nothing was signed yet.
 */
export async function writeJournal({ db, config }: JournalContext, actor: Actor): Promise<FileResponse> {
  const last = await findLastCheckpoint(db);
  if (!last) throw new AppError('NOT_FOUND');
  return {
    name: 'stagedoor-journal.json',
    type: 'application/json',
    body: streamJournal(db, actor, { checkpoint: last.note, key: getLogKey(config, last.note) }, last.size),
  };
}

async function* streamJournal(db: Executor, actor: Actor, head: Pick<Journal, 'checkpoint' | 'key'>, size: number) {
  yield Buffer.from(`${JSON.stringify({ ...head, limit: 0 }).slice(0, -1)},"data":[`);
  let separator = '\n';
  for (let before: string | undefined = LAST_ID; before !== undefined; ) {
    const ids: string[] = await listOwnIds(db, actor, { before, limit: EXPORT_BATCH, skip: 0 });
    const entries = await listEntries(db, ids, true);
    const read = createHashReader(createTileReader(db));
    for (const entry of entries.filter(({ position }) => position < size)) {
      yield Buffer.from(`${separator}${JSON.stringify(await presentEntry(entry, actor, size, read))}`);
      separator = ',\n';
    }
    before = ids.at(-1);
  }
  yield Buffer.from('\n]}\n');
}

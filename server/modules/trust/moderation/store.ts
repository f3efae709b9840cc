import { randomInt } from 'node:crypto';
import {
  CASE_KINDS,
  CASE_QUEUES,
  CASE_STATES,
  type CaseKind,
  type EntryKind,
  REPORT_SUBJECTS,
  type ReportSubject,
} from '@stagedoor/contract/trust/case-kinds.ts';
import type { Selectable, Updateable } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '../../../platform/clock.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { CASE_KIND_RULES, getDueDate } from './kinds.ts';

const rowSchema = z.object({ kind: z.enum(CASE_KINDS), queue: z.enum(CASE_QUEUES), state: z.enum(CASE_STATES) });
const snapshotSchema = z.array(z.object({ name: z.string(), value: z.string() }));
export type Snapshot = z.infer<typeof snapshotSchema>;
export type CaseRow = Omit<Selectable<Tables['cases']>, 'kind' | 'queue' | 'state' | 'subject' | 'snapshot'> &
  z.infer<typeof rowSchema> & { subject: ReportSubject | null; snapshot: Snapshot };
export type EntryRow = Selectable<Tables['case_entries']>;
export type CaseDecisionRow = Selectable<Tables['case_decisions']>;

export function toCaseRow(row: Selectable<Tables['cases']>): CaseRow {
  return {
    ...row,
    ...z.parse(rowSchema, row),
    subject: row.subject === null ? null : z.parse(z.enum(REPORT_SUBJECTS), row.subject),
    snapshot: z.parse(snapshotSchema, row.snapshot),
  };
}

/** The alphabet omits I, L, O and U, which are mistaken for other characters or form words. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const createCharacters = (count: number) =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
/** Among a million cases a collision is about as likely as not, so an insert is retried with a new number. */
const createReference = () => `SD-${createCharacters(4)}-${createCharacters(4)}`;

/** These last hex digits of an id are random. */
const RANDOM_DIGITS = 10;
/**
 * Returns the number of a decision. It differs from the case number, because with that and a guessed address the user
 * could read and answer as the reporter.
 */
export function toDecisionNumber(id: string): string {
  let remaining = BigInt(`0x${id.slice(-RANDOM_DIGITS)}`);
  let characters = '';
  for (; characters.length < 8; remaining >>= 5n) characters = (ALPHABET[Number(remaining & 31n)] ?? '') + characters;
  return `SD-${characters.slice(0, 4)}-${characters.slice(4)}`;
}

const FIND_BY_NUMBER: SqlStatement = {
  name: 'moderation-decided',
  text: 'select case_id from case_decisions where right(id::text, 10) = $1',
};
export async function findDecidedCaseIds(db: Executor, number: string): Promise<string[]> {
  const [, a = '', b = ''] = /^SD-([0-9A-Z]{4})-([0-9A-Z]{4})$/.exec(number) ?? [];
  const digits = Array.from(a + b, (character) => ALPHABET.indexOf(character));
  if (digits.length === 0 || digits.includes(-1)) return [];
  const value = digits.reduce((sum, digit) => (sum << 5n) + BigInt(digit), 0n);
  const rows = await db.run<{ case_id: string }>(FIND_BY_NUMBER, [value.toString(16).padStart(RANDOM_DIGITS, '0')]);
  return rows.map(({ case_id: id }) => id);
}

export type CaseSubject = {
  subject: ReportSubject | null;
  subjectId: string | null;
  userId: string | null;
  snapshot: Snapshot;
};
export const NO_SUBJECT: CaseSubject = { subject: null, subjectId: null, userId: null, snapshot: [] };

export type NewCase = {
  id?: string;
  kind: CaseKind;
  title: string;
  from: { id: string | null; name: string; email: string };
  about: CaseSubject;
  contentAddress?: string;
  decisionId?: string;
};

const MAX_TRIES = 5;

/** Opens a case. For a kind that is merged, an open case about the same subject is returned instead. */
export async function openCase(
  { clock }: { clock: Clock },
  tx: DbTransaction,
  { id = createId(clock), kind, title, from, about, contentAddress = '', decisionId }: NewCase,
): Promise<{ row: CaseRow; isNew: boolean }> {
  const at = clock.now();
  const { queue, isMerged = false } = CASE_KIND_RULES[kind];
  // An address alone proves no identity.
  const isUnverified = from.id === null;
  if (isMerged) await lockSubject(tx, about);
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const inserted = await tx.query
      .insertInto('cases')
      .values({
        id,
        reference: createReference(),
        kind,
        queue,
        opened_at: at,
        changed_at: at,
        due_at: getDueDate(kind, { isUnverified, at }),
        from_id: from.id,
        from_name: from.name,
        from_email: from.email,
        subject: about.subject,
        subject_id: about.subjectId,
        user_id: about.userId,
        title,
        content_address: contentAddress,
        snapshot: JSON.stringify(about.snapshot),
        decision_id: decisionId ?? null,
        is_sender_unverified: isUnverified,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (inserted) return { row: toCaseRow(inserted), isNew: true };
    const existing = isMerged
      ? await lockOpenCase(tx, { kind, subject: about.subject, subject_id: about.subjectId, user_id: about.userId })
      : undefined;
    if (existing) return { row: existing, isNew: false };
  }
  throw new Error('a case could not be opened');
}

const LOCK_SUBJECT: SqlStatement = {
  name: 'moderation-lock-subject',
  text: `select pg_advisory_xact_lock(hashtextextended('case ' || $1::text, 0)) is null as is_locked`,
};
/** Serializes the opening and reopening of cases about one subject. */
async function lockSubject(tx: DbTransaction, { subjectId }: Pick<CaseSubject, 'subjectId'>): Promise<void> {
  await tx.run(LOCK_SUBJECT, [subjectId ?? '']);
}

/**
 * Reopens a case, with a new deadline unless it was open all the time. Returns false if another case about the same
 * subject is open.
 */
export async function reopenCase({ clock }: { clock: Clock }, tx: DbTransaction, row: CaseRow): Promise<boolean> {
  const { isMerged = false } = CASE_KIND_RULES[row.kind];
  if (isMerged && row.state === 'closed') {
    await lockSubject(tx, { subjectId: row.subject_id });
    if (await lockOpenCase(tx, row)) return false;
  }
  const at = clock.now();
  const due_at = getDueDate(row.kind, { isUnverified: row.is_sender_unverified, at });
  const reopened = row.state === 'open' ? {} : { state: 'open', due_at, closed_at: null, outcome: null };
  await updateCase(tx, row.id, { changed_at: at, ...reopened });
  return true;
}

export async function lockOpenCase(
  tx: DbTransaction,
  {
    kind,
    subject,
    subject_id: subjectId,
    user_id: userId,
  }: Pick<CaseRow, 'kind' | 'subject' | 'subject_id' | 'user_id'>,
): Promise<CaseRow | undefined> {
  const row = await tx.query
    .selectFrom('cases')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('subject_id', '=', subjectId)
    .where('user_id', '=', userId)
    .where('state', '!=', 'closed')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && toCaseRow(row);
}

export async function addEntry(
  { clock }: { clock: Clock },
  tx: DbTransaction,
  caseId: string,
  {
    kind,
    byId,
    memberId = null,
    body,
  }: {
    kind: EntryKind;
    byId: string | null;
    /** A team member wrote it for a creator. */
    memberId?: string | null | undefined;
    body: string;
  },
): Promise<string> {
  const id = createId(clock);
  await tx.query
    .insertInto('case_entries')
    .values({ id, case_id: caseId, at: clock.now(), kind, by_id: byId, member_id: memberId, body })
    .execute();
  return id;
}

export async function updateCase(tx: DbTransaction, id: string, changes: Updateable<Tables['cases']>): Promise<void> {
  await tx.query.updateTable('cases').set(changes).where('id', '=', id).execute();
}

export async function findCase(db: Executor, id: string): Promise<CaseRow | undefined> {
  const row = await db.query.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toCaseRow(row);
}

/** Like {@link findCase}, and locks the row until the transaction ends. */
export async function lockCase(tx: DbTransaction, id: string): Promise<CaseRow | undefined> {
  const row = await tx.query.selectFrom('cases').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return row && toCaseRow(row);
}

const LOCK_APPEALED: SqlStatement = {
  name: 'moderation-lock-against',
  text: `select id from cases where id = (select d.case_id from cases c join case_decisions d on d.id = c.decision_id where c.id = $1)
    for no key update`,
};
/** Locks the appealed case before this one, as a reversal does. */
export async function lockAppealedCase(tx: DbTransaction, caseId: string): Promise<void> {
  await tx.run(LOCK_APPEALED, [caseId]);
}

const OPEN_WAITING: SqlStatement = {
  name: 'moderation-open-waiting',
  text: `update cases set state = 'open', changed_at = $2 where id = any ($1::uuid[]) and state = 'waiting'`,
};
/** Opens cases that wait, with their old deadline. Others stay as they are. */
export async function openWaitingCases(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  ids: readonly string[],
): Promise<void> {
  await db.run(OPEN_WAITING, [ids, clock.now()]);
}

const DELETE_SENDERS: SqlStatement = {
  name: 'moderation-delete-senders',
  text: `update cases set from_name = '', from_email = '' where id = any ($1::uuid[]) and state = 'closed'`,
};
/** Deletes the names and addresses of the senders of closed cases. */
export async function deleteSenders({ db }: Pick<Context, 'db'>, ids: readonly string[]): Promise<void> {
  await db.run(DELETE_SENDERS, [ids]);
}

export function listEntries(db: Executor, caseId: string, kinds?: readonly EntryKind[]): Promise<EntryRow[]> {
  let query = db.query.selectFrom('case_entries').selectAll().where('case_id', '=', caseId);
  if (kinds) query = query.where('kind', 'in', [...kinds]);
  return query.orderBy('id').execute();
}

export async function findDecision(db: Executor, id: string): Promise<CaseDecisionRow | undefined> {
  return db.query.selectFrom('case_decisions').selectAll().where('id', '=', id).executeTakeFirst();
}

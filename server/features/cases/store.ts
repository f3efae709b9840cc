import { randomInt } from 'node:crypto';
import {
  CASE_KINDS,
  CASE_QUEUES,
  CASE_STATES,
  type CaseKind,
  type EntryKind,
  SUBJECTS,
  type Subject,
} from '@stagedoor/contract/case-kinds.ts';
import type { Selectable, Updateable } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '../../kernel/clock.ts';
import type { Executor, Statement, Tables, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { dueOf, KINDS } from './kinds.ts';

const shape = z.object({ kind: z.enum(CASE_KINDS), queue: z.enum(CASE_QUEUES), state: z.enum(CASE_STATES) });
const snapshotShape = z.array(z.object({ name: z.string(), value: z.string() }));
export type Snapshot = z.infer<typeof snapshotShape>;
export type CaseRow = Omit<Selectable<Tables['cases']>, 'kind' | 'queue' | 'state' | 'subject' | 'snapshot'> &
  z.infer<typeof shape> & { subject: Subject | null; snapshot: Snapshot };
export type EntryRow = Selectable<Tables['case_entries']>;
export type DecisionRow = Selectable<Tables['case_decisions']>;

export function readRow(row: Selectable<Tables['cases']>): CaseRow {
  return {
    ...row,
    ...z.parse(shape, row),
    subject: row.subject === null ? null : z.parse(z.enum(SUBJECTS), row.subject),
    snapshot: z.parse(snapshotShape, row.snapshot),
  };
}

/** The alphabet omits I, L, O and U, which are mistaken for other characters or form words. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const signs = (count: number) => Array.from({ length: count }, () => SIGNS[randomInt(SIGNS.length)]).join('');
/** Among a million cases a collision is about as likely as not, so an insert is retried with a new number. */
const newReference = () => `SD-${signs(4)}-${signs(4)}`;

/** These last hex digits of an id are random. */
const NUMBERED = 10;
/**
 * Returns the number of a decision. It differs from the case number, because with that and a guessed address the user
 * could read and answer as the reporter.
 */
export function numberOfDecision(id: string): string {
  let rest = BigInt(`0x${id.slice(-NUMBERED)}`);
  let written = '';
  for (; written.length < 8; rest >>= 5n) written = (SIGNS[Number(rest & 31n)] ?? '') + written;
  return `SD-${written.slice(0, 4)}-${written.slice(4)}`;
}

const DECIDED: Statement = {
  name: 'cases-decided',
  text: 'select case_id from case_decisions where right(id::text, 10) = $1',
};
export async function casesDecided(db: Executor, number: string): Promise<string[]> {
  const [, a = '', b = ''] = /^SD-([0-9A-Z]{4})-([0-9A-Z]{4})$/.exec(number) ?? [];
  const digits = Array.from(a + b, (sign) => SIGNS.indexOf(sign));
  if (digits.length === 0 || digits.includes(-1)) return [];
  const value = digits.reduce((sum, digit) => (sum << 5n) + BigInt(digit), 0n);
  const rows = await db.run<{ case_id: string }>(DECIDED, [value.toString(16).padStart(NUMBERED, '0')]);
  return rows.map(({ case_id: id }) => id);
}

export type About = {
  subject: Subject | null;
  subjectId: string | null;
  personId: string | null;
  snapshot: Snapshot;
};
export const ABOUT_NOTHING: About = { subject: null, subjectId: null, personId: null, snapshot: [] };

export type NewCase = {
  id?: string;
  kind: CaseKind;
  title: string;
  from: { id: string | null; name: string; email: string };
  about: About;
  place?: string;
  decisionId?: string;
};

const TRIES = 5;

/** Opens a case. For a kind that is merged, an open case about the same subject is returned instead. */
export async function openCase(
  { clock }: { clock: Clock },
  tx: Transaction,
  { id = newId(clock), kind, title, from, about, place = '', decisionId }: NewCase,
): Promise<{ row: CaseRow; isNew: boolean }> {
  const at = clock.now();
  const { queue, isJoined = false } = KINDS[kind];
  // An address alone proves no identity.
  const isUnproven = from.id === null;
  if (isJoined) await lockThing(tx, about);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const made = await tx.query
      .insertInto('cases')
      .values({
        id,
        reference: newReference(),
        kind,
        queue,
        opened_at: at,
        changed_at: at,
        due_at: dueOf(kind, { isUnproven, at }),
        from_id: from.id,
        from_name: from.name,
        from_email: from.email,
        subject: about.subject,
        subject_id: about.subjectId,
        person_id: about.personId,
        title,
        place,
        snapshot: JSON.stringify(about.snapshot),
        decision_id: decisionId ?? null,
        is_unproven: isUnproven,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (made) return { row: readRow(made), isNew: true };
    const known = isJoined
      ? await lockReported(tx, { kind, subject: about.subject, subject_id: about.subjectId, person_id: about.personId })
      : undefined;
    if (known) return { row: known, isNew: false };
  }
  throw new Error('a case could not be opened');
}

const LOCK_THING: Statement = {
  name: 'cases-lock-thing',
  text: `select pg_advisory_xact_lock(hashtextextended('case ' || $1::text, 0)) is null as is_locked`,
};
/** Serializes the opening and reopening of cases about one subject. */
async function lockThing(tx: Transaction, { subjectId }: Pick<About, 'subjectId'>): Promise<void> {
  await tx.run(LOCK_THING, [subjectId ?? '']);
}

/**
 * Reopens a case, with a new deadline unless it was open all the time. Returns false if another case about the same
 * subject is open.
 */
export async function reopen({ clock }: { clock: Clock }, tx: Transaction, row: CaseRow): Promise<boolean> {
  const { isJoined = false } = KINDS[row.kind];
  if (isJoined && row.state === 'closed') {
    await lockThing(tx, { subjectId: row.subject_id });
    if (await lockReported(tx, row)) return false;
  }
  const at = clock.now();
  const due_at = dueOf(row.kind, { isUnproven: row.is_unproven, at });
  const anew = row.state === 'open' ? {} : { state: 'open', due_at, closed_at: null, outcome: null };
  await changeCase(tx, row.id, { changed_at: at, ...anew });
  return true;
}

export async function lockReported(
  tx: Transaction,
  {
    kind,
    subject,
    subject_id: subjectId,
    person_id: personId,
  }: Pick<CaseRow, 'kind' | 'subject' | 'subject_id' | 'person_id'>,
): Promise<CaseRow | undefined> {
  const row = await tx.query
    .selectFrom('cases')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('subject_id', '=', subjectId)
    .where('person_id', '=', personId)
    .where('state', '!=', 'closed')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && readRow(row);
}

export async function addEntry(
  { clock }: { clock: Clock },
  tx: Transaction,
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
  const id = newId(clock);
  await tx.query
    .insertInto('case_entries')
    .values({ id, case_id: caseId, at: clock.now(), kind, by_id: byId, member_id: memberId, body })
    .execute();
  return id;
}

export async function changeCase(tx: Transaction, id: string, changes: Updateable<Tables['cases']>): Promise<void> {
  await tx.query.updateTable('cases').set(changes).where('id', '=', id).execute();
}

export async function findCase(db: Executor, id: string): Promise<CaseRow | undefined> {
  const row = await db.query.selectFrom('cases').selectAll().where('id', '=', id).executeTakeFirst();
  return row && readRow(row);
}

/** Like {@link findCase}, and locks the row until the transaction ends. */
export async function lockCase(tx: Transaction, id: string): Promise<CaseRow | undefined> {
  const row = await tx.query.selectFrom('cases').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  return row && readRow(row);
}

export function entriesOf(db: Executor, caseId: string, kinds?: readonly EntryKind[]): Promise<EntryRow[]> {
  let of = db.query.selectFrom('case_entries').selectAll().where('case_id', '=', caseId);
  if (kinds) of = of.where('kind', 'in', [...kinds]);
  return of.orderBy('id').execute();
}

export async function findDecision(db: Executor, id: string): Promise<DecisionRow | undefined> {
  return db.query.selectFrom('case_decisions').selectAll().where('id', '=', id).executeTakeFirst();
}

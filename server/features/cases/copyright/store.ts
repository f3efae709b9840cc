import { COPYRIGHT } from '@stagedoor/contract/atoms/room-limits.ts';
import { MEASURES } from '@stagedoor/contract/case-kinds.ts';
import type { Selectable } from 'kysely';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement, Tables, Transaction } from '../../../kernel/db.ts';
import { keptMs } from '../../../kernel/retention.ts';

type NoticeRow = Selectable<Tables['copyright_notices']>;
export type CounterRow = Selectable<Tables['copyright_counters']>;

export type Claim = Pick<NoticeRow, 'case_id' | 'name' | 'email'> & {
  reference: string;
  place: string;
  work: string;
  from_id: string | null;
};

const CLAIMS: Statement = {
  name: 'cases-claims',
  text: `select n.case_id, n.name, n.email, c.reference, c.place, c.from_id,
      (select e.body from case_entries e where e.case_id = n.case_id and e.kind = 'message' order by e.id limit 1) as work
    from copyright_notices n join cases c on c.id = n.case_id where n.case_id = any ($1::uuid[])`,
};

export async function claimsOf(db: Executor, caseIds: readonly string[]): Promise<Map<string, Claim>> {
  if (caseIds.length === 0) return new Map();
  const rows = await db.run<Claim>(CLAIMS, [caseIds]);
  return new Map(rows.map((row) => [row.case_id, row]));
}

const LOCK: Statement = {
  name: 'cases-lock-claimant',
  text: `select pg_advisory_xact_lock(hashtextextended('copyright ' || lower($1), 0)) is null as is_locked`,
};
/** Serializes notices from one address. */
export async function lockClaimant(tx: Transaction, email: string): Promise<void> {
  await tx.run(LOCK, [email]);
}

const SAME: Statement = {
  name: 'cases-same-notice',
  text: `select c.id, c.reference, c.due_at, c.state from copyright_notices n join cases c on c.id = n.case_id
    where c.from_id = $1 and n.email = $2 and c.kind = 'copyright' and c.state <> 'closed' and c.place = $3
      and exists (select from case_entries e where e.case_id = c.id and e.kind = 'message' and e.body = $4) limit 1`,
};
/** Finds a repeated notice of the same account only, because anyone can enter an address. */
export async function findSame(tx: Transaction, same: { fromId: string; email: string; place: string; work: string }) {
  const [row] = await tx.run<{ id: string; reference: string; due_at: Date; state: string }>(SAME, [
    same.fromId,
    same.email,
    same.place,
    same.work,
  ]);
  return row;
}

const RECEIPTS: Statement = {
  name: 'cases-copyright-receipts',
  text: `select count(distinct n.notice_id)::int as count from cases c join copyright_notices n on n.case_id = c.id
    where c.from_email = $1 and c.from_email <> '' and c.opened_at > $2`,
};
export async function countNotices(tx: Transaction, email: string, since: Date): Promise<number> {
  return (await tx.run<{ count: number }>(RECEIPTS, [email, since]))[0]?.count ?? 0;
}

const STRIKES: Statement = {
  name: 'cases-strikes',
  text: `select least(count(distinct n.notice_id), count(distinct d.subject_id))::int as count
    from case_decisions d join copyright_notices n on n.case_id = d.case_id
    where d.person_id = $1 and d.act = any ($2::text[]) and d.undone_at is null and d.at > $3`,
};
/** Counts strikes. A notice about many subjects counts once, and so do many notices about one subject. */
export async function countStrikes(db: Executor, personId: string, now: Date): Promise<number> {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - COPYRIGHT.strikeMonths);
  return (await db.run<{ count: number }>(STRIKES, [personId, MEASURES, since]))[0]?.count ?? 0;
}

const COUNTERS: Statement = {
  name: 'cases-counters-of',
  text: `select c.id, c.decision_id, c.reference, c.state, c.outcome, c.due_at, k.restore_from
    from cases c join copyright_counters k on k.case_id = c.id
    where c.kind = 'counter' and c.decision_id = any ($1::uuid[]) order by c.id`,
};
export type CounterFacts = {
  id: string;
  decision_id: string;
  reference: string;
  state: string;
  outcome: string | null;
  due_at: Date;
  restore_from: Date;
};
export function countersOf(db: Executor, decisionIds: readonly string[]): Promise<CounterFacts[]> {
  return decisionIds.length === 0 ? Promise.resolve([]) : db.run<CounterFacts>(COUNTERS, [decisionIds]);
}

export async function findNotice(db: Executor, caseId: string): Promise<NoticeRow | undefined> {
  return db.query.selectFrom('copyright_notices').selectAll().where('case_id', '=', caseId).executeTakeFirst();
}

export async function findCounter(db: Executor, caseId: string): Promise<CounterRow | undefined> {
  return db.query.selectFrom('copyright_counters').selectAll().where('case_id', '=', caseId).executeTakeFirst();
}

const LOCK_AGAINST: Statement = {
  name: 'cases-lock-against',
  text: `select id from cases where id = (select d.case_id from cases c join case_decisions d on d.id = c.decision_id where c.id = $1)
    for no key update`,
};
/** Locks the appealed case before this one, as a reversal does. */
export async function lockAgainst(tx: Transaction, caseId: string): Promise<void> {
  await tx.run(LOCK_AGAINST, [caseId]);
}

/** A notice is retained until the last counter-notice to it has ended. */
const ENDED = `select c.id from cases c where c.kind in ('copyright', 'counter') and c.state = 'closed' and c.closed_at < $1
    and not exists (select from copyright_counters k join cases o on o.id = k.case_id
      where k.notice_case_id = c.id and (o.state <> 'closed' or o.closed_at >= $1))`;
const FORGET: readonly Statement[] = [
  {
    name: 'cases-forget-notices',
    text: `update copyright_notices set email = '', address = '', telephone = '' where address <> '' and case_id in (${ENDED})`,
  },
  {
    name: 'cases-forget-counters',
    text: `update copyright_counters set address = '', telephone = '' where address <> '' and case_id in (${ENDED})`,
  },
  {
    name: 'cases-forget-writers',
    text: `update cases set from_name = '', from_email = '' where from_email <> '' and id in (${ENDED})`,
  },
];

/** Deletes contact details. The names are retained as evidence. */
export async function forgetContacts({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs('copyrightContact'));
  for (const statement of FORGET) await db.run(statement, [before]);
}

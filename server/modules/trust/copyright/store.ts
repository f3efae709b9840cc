import { COPYRIGHT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { MEASURES } from '@stagedoor/contract/trust/case-kinds.ts';
import type { Selectable } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import { deleteSenders } from '../moderation/index.ts';

type NoticeRow = Selectable<Tables['copyright_notices']>;
export type CounterNoticeRow = Selectable<Tables['copyright_counter_notices']>;

export type Claim = Pick<NoticeRow, 'case_id' | 'name' | 'email'> & {
  reference: string;
  content_address: string;
  work: string;
  from_id: string | null;
};

const FIND_CLAIMS: SqlStatement = {
  name: 'copyright-claims',
  text: `select n.case_id, n.name, n.email, c.reference, c.content_address, c.from_id,
      (select e.body from case_entries e where e.case_id = n.case_id and e.kind = 'message' order by e.id limit 1) as work
    from copyright_notices n join cases c on c.id = n.case_id where n.case_id = any ($1::uuid[])`,
};

export async function findClaims(db: Executor, caseIds: readonly string[]): Promise<Map<string, Claim>> {
  if (caseIds.length === 0) return new Map();
  const rows = await db.run<Claim>(FIND_CLAIMS, [caseIds]);
  return new Map(rows.map((row) => [row.case_id, row]));
}

const LOCK: SqlStatement = {
  name: 'copyright-lock-claimant',
  text: `select pg_advisory_xact_lock(hashtextextended('copyright ' || lower($1), 0)) is null as is_locked`,
};
/** Serializes notices from one address. */
export async function lockClaimant(tx: DbTransaction, email: string): Promise<void> {
  await tx.run(LOCK, [email]);
}

const FIND_REPEATED: SqlStatement = {
  name: 'copyright-same-notice',
  text: `select c.id, c.reference, c.due_at, c.state from copyright_notices n join cases c on c.id = n.case_id
    where c.from_id = $1 and n.email = $2 and c.kind = 'copyright' and c.state <> 'closed' and c.content_address = $3
      and exists (select from case_entries e where e.case_id = c.id and e.kind = 'message' and e.body = $4) limit 1`,
};
/** Finds a repeated notice of the same account only, because anyone can enter an address. */
export async function findRepeatedNotice(
  tx: DbTransaction,
  notice: { fromId: string; email: string; url: string; work: string },
) {
  const [row] = await tx.run<{ id: string; reference: string; due_at: Date; state: string }>(FIND_REPEATED, [
    notice.fromId,
    notice.email,
    notice.url,
    notice.work,
  ]);
  return row;
}

const RECEIPTS: SqlStatement = {
  name: 'copyright-receipts',
  text: `select count(distinct n.notice_id)::int as count from cases c join copyright_notices n on n.case_id = c.id
    where c.from_email = $1 and c.from_email <> '' and c.opened_at > $2`,
};
export async function countNotices(tx: DbTransaction, email: string, since: Date): Promise<number> {
  return (await tx.run<{ count: number }>(RECEIPTS, [email, since]))[0]?.count ?? 0;
}

const STRIKES: SqlStatement = {
  name: 'copyright-strikes',
  text: `select least(count(distinct n.notice_id), count(distinct d.subject_id))::int as count
    from case_decisions d join copyright_notices n on n.case_id = d.case_id
    where d.user_id = $1 and d.action = any ($2::text[]) and d.undone_at is null and d.at > $3`,
};
/** Counts strikes. A notice about many subjects counts once, and so do many notices about one subject. */
export async function countStrikes(db: Executor, userId: string, now: Date): Promise<number> {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - COPYRIGHT_LIMITS.strikeMonths);
  return (await db.run<{ count: number }>(STRIKES, [userId, MEASURES, since]))[0]?.count ?? 0;
}

const LIST_COUNTER_NOTICES: SqlStatement = {
  name: 'copyright-list-counter-notices',
  text: `select c.id, c.decision_id, c.reference, c.state, c.outcome, c.due_at, k.restore_from
    from cases c join copyright_counter_notices k on k.case_id = c.id
    where c.kind = 'counter' and c.decision_id = any ($1::uuid[]) order by c.id`,
};
export type CounterNoticeSummary = {
  id: string;
  decision_id: string;
  reference: string;
  state: string;
  outcome: string | null;
  due_at: Date;
  restore_from: Date;
};
export function listCounterNotices(db: Executor, decisionIds: readonly string[]): Promise<CounterNoticeSummary[]> {
  return decisionIds.length === 0
    ? Promise.resolve([])
    : db.run<CounterNoticeSummary>(LIST_COUNTER_NOTICES, [decisionIds]);
}

export async function findNotice(db: Executor, caseId: string): Promise<NoticeRow | undefined> {
  return db.query.selectFrom('copyright_notices').selectAll().where('case_id', '=', caseId).executeTakeFirst();
}

export async function findCounterNotice(db: Executor, caseId: string): Promise<CounterNoticeRow | undefined> {
  return db.query.selectFrom('copyright_counter_notices').selectAll().where('case_id', '=', caseId).executeTakeFirst();
}

/** A notice is retained until the last counter-notice to it has ended. */
const ENDED = `select c.id from cases c where c.kind in ('copyright', 'counter') and c.state = 'closed' and c.closed_at < $1
    and not exists (select from copyright_counter_notices k join cases o on o.id = k.case_id
      where k.notice_case_id = c.id and (o.state <> 'closed' or o.closed_at >= $1))`;
const DELETE_CONTACTS: readonly SqlStatement[] = [
  {
    name: 'copyright-delete-notice-contacts',
    text: `update copyright_notices set email = '', address = '', telephone = '' where address <> '' and case_id in (${ENDED})`,
  },
  {
    name: 'copyright-delete-counter-notice-contacts',
    text: `update copyright_counter_notices set address = '', telephone = '' where address <> '' and case_id in (${ENDED})`,
  },
];
const LIST_CASES_WITH_SENDER: SqlStatement = {
  name: 'copyright-list-ended-senders',
  text: `select id from cases where from_email <> '' and id in (${ENDED})`,
};

/** Deletes contact details. The names are retained as evidence. */
export async function deleteContacts({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - getRetentionMs('copyrightContact'));
  for (const statement of DELETE_CONTACTS) await db.run(statement, [before]);
  const endedCases = await db.run<{ id: string }>(LIST_CASES_WITH_SENDER, [before]);
  await deleteSenders(
    { db },
    endedCases.map(({ id }) => id),
  );
}

/** The log of what operators did: written beside the act, read by operators. The database chains it, and refuses every change. */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { auditEntry, type listAudit } from '@stagedoor/contract/audit.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { findPeople } from '../accounts/index.ts';

export type Act = {
  /** Null is the command on the machine. */
  operatorId: string | null;
  /** What was done to what kind of thing, such as `payout.approve`. */
  act: string;
  subjectKind: string;
  subjectId: string;
  /** Words, ids, sums in cents; no secrets, as it stays for ever. */
  facts?: Readonly<Record<string, string | number | boolean | null>>;
};

/**
 * Notes what an operator did, in the transaction in which they did it. From here to the commit nobody else notes anything: the last
 * thing that a transaction does.
 */
export async function noteAct({ clock }: Pick<Context, 'clock'>, tx: Transaction, act: Act): Promise<void> {
  await tx.query
    .insertInto('audit_log')
    .values({
      id: newId(clock),
      at: clock.now(),
      operator_id: act.operatorId,
      act: act.act,
      subject_kind: act.subjectKind,
      subject_id: act.subjectId,
      facts: JSON.stringify(act.facts ?? {}),
      // Overwritten by the trigger.
      place: 0,
      previous_hash: Buffer.alloc(0),
      hash: Buffer.alloc(0),
    })
    .execute();
}

const DAY_MS = 24 * 60 * 60_000;

export async function viewAudit(
  { db }: Pick<Context, 'db'>,
  { limit, offset, act, subjectKind, subjectId, operatorId, from, to }: QueryOf<typeof listAudit>,
): Promise<AnswerOf<typeof listAudit>> {
  if (from !== undefined && to !== undefined && from > to) throw invalid('to', 'The period ends before it begins');
  let of = db.query.selectFrom('audit_log');
  if (act !== undefined)
    of = of.where((row) => row.or([row('act', '=', act), row('act', 'like', `${act.replace(/[\\%_]/g, '\\$&')}.%`)]));
  if (subjectKind !== undefined) of = of.where('subject_kind', '=', subjectKind);
  if (subjectId !== undefined) of = of.where('subject_id', '=', subjectId);
  if (operatorId !== undefined) of = of.where('operator_id', '=', operatorId);
  if (from !== undefined) of = of.where('at', '>=', new Date(from));
  if (to !== undefined) of = of.where('at', '<', new Date(Date.parse(to) + DAY_MS));
  const skip = skipOf(offset);
  const [rows, { total }] = await Promise.all([
    of.selectAll().orderBy('place', 'desc').limit(limit).offset(skip).execute(),
    of.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  const people = await findPeople(
    db,
    rows.flatMap(({ operator_id: id }) => id ?? []),
  );
  const data = rows.map((row) => {
    const operator = people.get(row.operator_id ?? '');
    return z.parse(auditEntry, {
      place: row.place,
      at: row.at.toISOString(),
      operator: operator ? { id: operator.id, username: operator.username } : null,
      act: row.act,
      subjectKind: row.subject_kind,
      subjectId: row.subject_id,
      facts: row.facts,
      hash: row.hash.toString('hex'),
    });
  });
  return pageOf(data, { limit, skip, total });
}

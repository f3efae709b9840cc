/** The database chains the entries by hash and rejects every change. */
import { Readable } from 'node:stream';
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, FileAnswer, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type AuditEntry,
  type auditChain,
  auditEntry,
  type auditWords,
  type exportAudit,
  type listAudit,
} from '@stagedoor/contract/audit.ts';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Tables, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf, skipOf } from '../../kernel/offset.ts';
import { BOM, lineOf, said, timeText } from '../../kernel/spreadsheet.ts';
import { findPeople } from '../accounts/index.ts';

export type Act = {
  /** The operator is null for the admin CLI. */
  operatorId: string | null;
  /** An example is `payout.approve`. */
  act: string;
  subjectKind: string;
  subjectId: string;
  /** Amounts are in cents. Do not add secrets, because entries are never deleted. */
  facts?: Readonly<Record<string, string | number | boolean | null>>;
};

/** Call it last in a transaction, because it blocks all other entries until the commit. */
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
      // The trigger sets these values.
      place: 0,
      previous_hash: Buffer.alloc(0),
      hash: Buffer.alloc(0),
    })
    .execute();
}

const DAY_MS = 24 * 60 * 60_000;

type Filter = QueryOf<typeof exportAudit>;

/** Throws VALIDATION when the period ends before it begins. */
function filtered({ query }: Executor, { act, subjectKind, subjectId, operatorId, from, to }: Filter) {
  if (from !== undefined && to !== undefined && from > to) throw invalid('to', 'End date is before start date');
  let of = query.selectFrom('audit_log');
  if (act !== undefined)
    of = of.where((row) => row.or([row('act', '=', act), row('act', 'like', `${act.replace(/[\\%_]/g, '\\$&')}.%`)]));
  if (subjectKind !== undefined) of = of.where('subject_kind', '=', subjectKind);
  if (subjectId !== undefined) of = of.where('subject_id', '=', subjectId);
  if (operatorId !== undefined) of = of.where('operator_id', '=', operatorId);
  if (from !== undefined) of = of.where('at', '>=', new Date(from));
  if (to !== undefined) of = of.where('at', '<', new Date(Date.parse(to) + DAY_MS));
  return of;
}

async function present(db: Executor, rows: readonly Selectable<Tables['audit_log']>[]): Promise<AuditEntry[]> {
  const people = await findPeople(
    db,
    rows.flatMap(({ operator_id: id }) => id ?? []),
  );
  return rows.map((row) => {
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
}

export async function viewAudit(
  { db }: Pick<Context, 'db'>,
  { limit, offset, ...filter }: QueryOf<typeof listAudit>,
): Promise<AnswerOf<typeof listAudit>> {
  const of = filtered(db, filter);
  const skip = skipOf(offset);
  const [rows, { total }] = await Promise.all([
    of.selectAll().orderBy('place', 'desc').limit(limit).offset(skip).execute(),
    of.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return pageOf(await present(db, rows), { limit, skip, total });
}

const CHAIN: Statement = {
  name: 'audit-chain',
  text: `select count(*)::bigint as count, min(l.place) filter (where not (l.hash = audit_hash(l) and l.previous_hash = case l.place when 1 then sha256('') else b.hash end) is true) as "brokenAt",
      (select encode(hash, 'hex') from audit_log order by place desc limit 1) as head
    from audit_log l left join audit_log b on b.place = l.place - 1`,
};

export async function viewChain({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<AnswerOf<typeof auditChain>> {
  const [row] = await db.run<{ count: number; brokenAt: number | null; head: string | null }>(CHAIN, []);
  if (!row) throw new Error('a count always answers a row');
  return { ...row, checkedAt: clock.now().toISOString() };
}

export async function viewWords({ db }: Pick<Context, 'db'>): Promise<AnswerOf<typeof auditWords>> {
  const [acts, operators] = await Promise.all([
    db.query.selectFrom('audit_log').select('act').distinct().orderBy('act').execute(),
    db.query.selectFrom('audit_log').select('operator_id').distinct().where('operator_id', 'is not', null).execute(),
  ]);
  const people = await findPeople(
    db,
    operators.flatMap(({ operator_id: id }) => id ?? []),
  );
  return {
    acts: acts.map(({ act }) => act),
    operators: [...people.values()].map(({ id, username }) => ({ id, username })),
  };
}

const HEAD = ['Place', 'At (UTC)', 'Operator', 'Act', 'Subject', 'Id', 'Facts', 'Hash'];
const AT_ONCE = 500;

async function* table(db: Executor, filter: Filter) {
  yield Buffer.from(BOM + lineOf(HEAD));
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await filtered(db, filter)
      .selectAll()
      .where('place', '<', before)
      .orderBy('place', 'desc')
      .limit(AT_ONCE)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    const entries = await present(db, rows);
    const lines = entries.map(({ place, at, operator, act, subjectKind, subjectId, facts, hash }) =>
      lineOf([
        String(place),
        timeText(new Date(at)),
        said(operator?.username ?? 'the command on the machine'),
        said(act),
        said(subjectKind),
        said(subjectId),
        said(JSON.stringify(facts)),
        hash,
      ]),
    );
    yield Buffer.from(lines.join(''));
    before = last.place;
  }
}

/** Streams the log, newest entries first. The download itself is logged. */
export async function auditFile(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  filter: Filter,
): Promise<FileAnswer> {
  filtered(ctx.db, filter);
  const facts = Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  await ctx.db.transaction((tx) =>
    noteAct(ctx, tx, { operatorId, act: 'audit.file', subjectKind: 'audit', subjectId: 'log', facts }),
  );
  const name = `audit-${ctx.clock.now().toISOString().slice(0, 10)}.csv`;
  return { name, type: 'text/csv; charset=utf-8', body: Readable.from(table(ctx.db, filter)) };
}

/** The database chains the entries by hash and rejects every change. */
import { Readable } from 'node:stream';
import {
  type AuditEntry,
  auditEntry,
  type exportAuditLog,
  type getAuditChain,
  type getAuditFilters,
  type listAuditEntries,
} from '@stagedoor/contract/admin/audit-log.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { FileResponse, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { BOM, formatCsvTime, toCsvRow, toSafeCell } from '../../../platform/csv.ts';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';
import { parseSkip, toOffsetPage } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import { findUserSummaries } from '../accounts/index.ts';
import * as texts from './texts.ts';

export type AuditAction = {
  /** The operator is null for the admin CLI. */
  operatorId: string | null;
  /** An example is `payout.approve`. */
  action: string;
  subjectKind: string;
  subjectId: string;
  /** Amounts are in cents. Do not add secrets, because entries are never deleted. */
  details?: Readonly<Record<string, string | number | boolean | null>>;
};

/** Call it last in a transaction, because it blocks all other entries until the commit. */
export async function logAction(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  action: AuditAction,
): Promise<void> {
  await tx.query
    .insertInto('audit_log')
    .values({
      id: createId(clock),
      at: clock.now(),
      operator_id: action.operatorId,
      action: action.action,
      subject_kind: action.subjectKind,
      subject_id: action.subjectId,
      details: JSON.stringify(action.details ?? {}),
      // The trigger sets these values.
      position: 0,
      previous_hash: Buffer.alloc(0),
      hash: Buffer.alloc(0),
    })
    .execute();
}

const DAY_MS = 24 * 60 * 60_000;

type AuditFilter = QueryOf<typeof exportAuditLog>;

/** Throws VALIDATION when the period ends before it begins. */
function selectEntries({ query }: Executor, { action, subjectKind, subjectId, operatorId, from, to }: AuditFilter) {
  if (from !== undefined && to !== undefined && from > to) throw createFieldError('to', texts.endDateIsBeforeStart);
  let entries = query.selectFrom('audit_log');
  if (action !== undefined)
    entries = entries.where((row) =>
      row.or([row('action', '=', action), row('action', 'like', `${action.replace(/[\\%_]/g, '\\$&')}.%`)]),
    );
  if (subjectKind !== undefined) entries = entries.where('subject_kind', '=', subjectKind);
  if (subjectId !== undefined) entries = entries.where('subject_id', '=', subjectId);
  if (operatorId !== undefined) entries = entries.where('operator_id', '=', operatorId);
  if (from !== undefined) entries = entries.where('at', '>=', new Date(from));
  if (to !== undefined) entries = entries.where('at', '<', new Date(Date.parse(to) + DAY_MS));
  return entries;
}

async function present(db: Executor, rows: readonly Selectable<Tables['audit_log']>[]): Promise<AuditEntry[]> {
  const operatorsById = await findUserSummaries(
    db,
    rows.flatMap(({ operator_id: id }) => id ?? []),
  );
  return rows.map((row) => {
    const operator = operatorsById.get(row.operator_id ?? '');
    return z.parse(auditEntry, {
      position: row.position,
      at: row.at.toISOString(),
      operator: operator ? { id: operator.id, username: operator.username } : null,
      action: row.action,
      subjectKind: row.subject_kind,
      subjectId: row.subject_id,
      details: row.details,
      hash: row.hash.toString('hex'),
    });
  });
}

export async function getAuditPage(
  { db }: Pick<Context, 'db'>,
  { limit, offset, ...filter }: QueryOf<typeof listAuditEntries>,
): Promise<ResponseInputOf<typeof listAuditEntries>> {
  const entries = selectEntries(db, filter);
  const skip = parseSkip(offset);
  const [rows, { total }] = await Promise.all([
    entries.selectAll().orderBy('position', 'desc').limit(limit).offset(skip).execute(),
    entries.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return toOffsetPage(await present(db, rows), { limit, skip, total });
}

const CHAIN: SqlStatement = {
  name: 'audit-log-chain',
  text: `select count(*)::bigint as count, min(l.position) filter (where not (l.hash = audit_hash(l) and l.previous_hash = case l.position when 1 then sha256('') else b.hash end) is true) as "brokenAt",
      (select encode(hash, 'hex') from audit_log order by position desc limit 1) as head
    from audit_log l left join audit_log b on b.position = l.position - 1`,
};

export async function checkAuditChain({
  db,
  clock,
}: Pick<Context, 'clock' | 'db'>): Promise<ResponseInputOf<typeof getAuditChain>> {
  const [row] = await db.run<{ count: number; brokenAt: number | null; head: string | null }>(CHAIN, []);
  if (!row) throw new Error('a count always answers a row');
  return { ...row, checkedAt: clock.now().toISOString() };
}

export async function loadAuditFilters({ db }: Pick<Context, 'db'>): Promise<ResponseInputOf<typeof getAuditFilters>> {
  const [actions, operators] = await Promise.all([
    db.query.selectFrom('audit_log').select('action').distinct().orderBy('action').execute(),
    db.query.selectFrom('audit_log').select('operator_id').distinct().where('operator_id', 'is not', null).execute(),
  ]);
  const operatorsById = await findUserSummaries(
    db,
    operators.flatMap(({ operator_id: id }) => id ?? []),
  );
  return {
    actions: actions.map(({ action }) => action),
    operators: [...operatorsById.values()].map(({ id, username }) => ({ id, username })),
  };
}

const CSV_HEADER = ['Position', texts.timeUtcColumn, 'Operator', 'Action', 'Subject', 'ID', 'Details', 'Hash'];
const BATCH_SIZE = 500;

async function* streamCsv(db: Executor, filter: AuditFilter) {
  yield Buffer.from(BOM + toCsvRow(CSV_HEADER));
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await selectEntries(db, filter)
      .selectAll()
      .where('position', '<', before)
      .orderBy('position', 'desc')
      .limit(BATCH_SIZE)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    const entries = await present(db, rows);
    const csvRows = entries.map(({ position, at, operator, action, subjectKind, subjectId, details, hash }) =>
      toCsvRow([
        String(position),
        formatCsvTime(new Date(at)),
        toSafeCell(operator?.username ?? 'command line'),
        toSafeCell(action),
        toSafeCell(subjectKind),
        toSafeCell(subjectId),
        toSafeCell(JSON.stringify(details)),
        hash,
      ]),
    );
    yield Buffer.from(csvRows.join(''));
    before = last.position;
  }
}

/** Streams the log, newest entries first. The download itself is logged. */
export async function createAuditExport(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  filter: AuditFilter,
): Promise<FileResponse> {
  selectEntries(ctx.db, filter);
  const details = Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  await ctx.db.transaction((tx) =>
    logAction(ctx, tx, { operatorId, action: 'audit.file', subjectKind: 'audit', subjectId: 'log', details }),
  );
  const name = `audit-${ctx.clock.now().toISOString().slice(0, 10)}.csv`;
  return { name, type: 'text/csv; charset=utf-8', body: Readable.from(streamCsv(ctx.db, filter)) };
}

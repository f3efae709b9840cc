import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Database, Tables } from '../../../platform/database/db.ts';
import { creditDeposit } from './deposits.ts';

export async function createDeposit(
  db: Database,
  fanId: string,
  amountCents: number,
  { feeCents = 0, at }: { feeCents?: number; at?: Date } = {},
): Promise<string> {
  const eventKey = randomUUID();
  const credit = { fanId, amountCents, feeCents, provider: 'ccbill', ref: eventKey, eventKey, ...(at && { at }) };
  return (await db.transaction((tx) => creditDeposit(tx, credit))).transactionId;
}

/** Calculates the latest line and the longest delay of every account again. */
export const RECALCULATE_LINE_TIMES = `update ledger_accounts a set last_line_at = l.last_line_at, max_late_ms = l.max_late_ms
  from (
    select account_id, max(at) as last_line_at,
      coalesce(max(extract(epoch from latest_before - at) * 1000) filter (where latest_before > at), 0)::bigint as max_late_ms
    from (
      select l.account_id, t.occurred_at as at,
        max(t.occurred_at) over (partition by l.account_id order by l.line rows between unbounded preceding and 1 preceding) as latest_before
      from ledger_lines l join ledger_transactions t on t.id = l.transaction_id) lines
    group by account_id) l
  where l.account_id = a.id`;

export async function addKind(
  owner: Database,
  kind: Omit<Insertable<Tables['ledger_kinds']>, 'title' | 'statement_type'> & {
    title?: string;
    statement_type?: string;
  },
): Promise<void> {
  const row = { title: kind.kind, statement_type: 'other', ...kind };
  await owner.query.insertInto('ledger_kinds').values(row).execute();
}

export async function catchErrorCode(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

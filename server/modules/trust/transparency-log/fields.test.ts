/** Every column of the money tables must be part of its leaf or be listed here with the reason why it is not. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../platform/database/db.ts';
import { createTestDatabase } from '../../../testing/database.ts';

const TABLES: readonly { alias: string; table: string; without: readonly string[] }[] = [
  // Used to find new rows for the log.
  { alias: 't', table: 'ledger_transactions', without: ['xid'] },
  // Follows from the previous lines.
  { alias: 'n', table: 'ledger_lines', without: ['balance_cents'] },
  { alias: 'm', table: 'ledger_clearings', without: [] },
  {
    // A constraint allows only one currency.
    alias: 'a',
    table: 'ledger_accounts',
    without:
      `balance_cents lines last_line_at max_late_ms is_frozen is_frozen_for_debt currency day_limit_cents own_day_limit_cents own_week_limit_cents own_month_limit_cents paused_until
      spent_day spent_cents week_spent_cents month_spent_cents created_at`.split(/\s+/),
  },
  { alias: 'x', table: 'ledger_external_refs', without: [] },
  { alias: 'r', table: 'ledger_reversals', without: [] },
  // They describe what is left of the gross.
  { alias: 's', table: 'sales', without: ['reversed_cents', 'reversed_fee_cents', 'refunded_at', 'net_cents'] },
  // The side follows from the recipient.
  { alias: 'q', table: 'sales_commissions', without: ['side', 'reversed_cents', 'unpaid_cents'] },
  { alias: 'p', table: 'post_purchases', without: ['net_cents', 'hidden_at', 'revoked_at'] },
  { alias: 'c', table: 'chat_purchases', without: ['net_cents', 'hidden_at', 'revoked_at'] },
  {
    alias: 'd',
    table: 'deposits',
    without: `status reason recurring_payment_id is_unused processor_subscription_id processor_transaction_id card_brand
      card_last4 transaction_id reversed_payable_cents reversed_cents debt_paid_cents return_path updated_at paid_at xid`.split(
      /\s+/,
    ),
  },
  // Unreadable data is deleted after a month, but its hash remains.
  {
    alias: 'e',
    table: 'processor_webhooks',
    without: 'raw state reason deposit_id received_count processed_at confirmed_at xid'.split(' '),
  },
  // The result of a refund is known only later.
  { alias: 'o', table: 'processor_webhook_decisions', without: ['requested_at', 'outcome', 'detail', 'xid'] },
  { alias: 'b', table: 'debt_decisions', without: ['xid'] },
  { alias: 'f', table: 'reconciliation_explanations', without: ['xid'] },
  // The audit log has the outcome.
  { alias: 'w', table: 'approval_requests', without: ['ended_at', 'ended_by', 'xid'] },
  // The audit log has who reversed it and why.
  {
    alias: 'v',
    table: 'processor_settlements',
    without: ['reversed_at', 'reversed_by', 'reversal_reason', 'reversal_transaction_id', 'xid'],
  },
  // Titles belong to the contract. `can_debit_frozen` was added after the first kinds were in the log.
  { alias: 'k', table: 'ledger_kinds', without: ['title', 'statement_type', 'can_debit_frozen'] },
];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

it.each(TABLES)('$table: each column is in the leaf or listed as left out', async ({ alias, table, without }) => {
  const { rows } = await db.pool.query<{ column: string; body: string }>(
    `select column_name as column, (select string_agg(prosrc, ' ') from pg_proc
        where proname in ('transparency_rows', 'transparency_lines', 'transparency_clearings')) as body
      from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );
  const left = rows.filter(({ column, body }) => !new RegExp(`\\b${alias}\\.${column}\\b`).test(body));
  expect(left.map(({ column }) => column).sort()).toEqual([...without].sort());
});

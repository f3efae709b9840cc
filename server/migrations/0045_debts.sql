-- Debts have owners: what a wallet could not cover is owed by its fan (asset:fan:…:receivable) and not a loss until a person
-- writes it off. With it the kinds of what is still to be built: commissions, payouts, periods of subscriptions.

-- Every account is in the one currency there is.
alter table ledger_accounts add column currency text not null default 'USD' constraint ledger_accounts_currency check (currency = 'USD');

-- Frozen because something is owed: it ends by itself once nothing is. Frozen otherwise, a person did it, and a person ends it.
alter table ledger_accounts add column is_frozen_for_debt boolean not null default false
  constraint ledger_accounts_frozen_for_debt check (is_frozen or not is_frozen_for_debt);

insert into ledger_kinds (kind, title, statement_type, debits, credits) values
  ('debt', 'Owed', 'debt', '{asset:fan:%:receivable}', '{exp:chargeback_loss}'),
  ('debt_write_off', 'No longer owed', 'debt', '{exp:chargeback_loss}', '{asset:fan:%:receivable}'),
  ('chargeback_won', 'Chargeback withdrawn', 'chargeback', '{asset:processor:%:clearing}',
    '{liab:fan:%:wallet,asset:fan:%:receivable,exp:chargeback_loss,rev:deposit_fee}'),
  ('hold_expired', 'Back in your balance, as its time was over', 'release', '{liab:fan:%:call_hold}', '{liab:fan:%:wallet}'),
  -- Beside a settlement, which has its fee in it.
  ('processor_fee', 'Processor fee', 'other', '{exp:processor_fee}', '{asset:processor:%:clearing}'),
  ('chargeback_fee', 'Chargeback fee', 'other', '{exp:chargeback_fee}', '{asset:processor:%:clearing}'),
  -- Out of the platform's fee; it waits its days like a creator's share, and is cleared by the same kind.
  ('commission', 'Commission', 'other', '{exp:affiliate}', '{liab:affiliate:%:pending}'),
  ('commission_return', 'Commission taken back', 'other', '{liab:affiliate:%:pending,liab:affiliate:%:available}', '{exp:affiliate}'),
  ('commission_deposit', 'From your referrals', 'other', '{liab:affiliate:%:available}', '{liab:fan:%:wallet,rev:payout_fee}'),
  -- Requested money is reserved until it is sent, or the request is rejected or cancelled; what was sent arrives or comes back.
  ('payout_requested', 'Payout requested', 'other', '{liab:creator:%:available,liab:affiliate:%:available}',
    '{liab:creator:%:payout_reserved,liab:affiliate:%:payout_reserved}'),
  ('payout_cancelled', 'Payout cancelled', 'other', '{liab:creator:%:payout_reserved,liab:affiliate:%:payout_reserved}',
    '{liab:creator:%:available,liab:affiliate:%:available}'),
  ('payout_sent', 'Payout sent', 'other', '{liab:creator:%:payout_reserved,liab:affiliate:%:payout_reserved}',
    '{liab:payout_clearing:%,rev:payout_fee}'),
  ('payout_paid', 'Payout arrived', 'other', '{liab:payout_clearing:%}', '{asset:bank:operating}'),
  ('payout_failed', 'Payout came back', 'other', '{liab:payout_clearing:%,asset:bank:operating,rev:payout_fee}',
    '{liab:creator:%:available,liab:affiliate:%:available}');
insert into ledger_kinds (kind, title, statement_type, debits, credits, takes_frozen) values
  -- It pays what the wallet is frozen for.
  ('debt_repayment', 'Kept for what you owed', 'debt', '{liab:fan:%:wallet}', '{asset:fan:%:receivable}', true);
insert into ledger_kinds (kind, title, statement_type, fee_account, is_once, debits, credits) values
  -- Its subject is the period, which is paid once.
  ('subscription', 'Subscription', 'subscription', 'rev:platform_fee:subscription', true, '{liab:fan:%:wallet}',
    '{liab:creator:%:pending,rev:platform_fee:subscription}');

-- What was booked as nobody's loss until now: each says of which deposit it is, so all of it has an owner. It is owed from now on,
-- and what is in the wallet goes there first.
do $$
declare
  v_loss record; v_owed record;
begin
  for v_loss in
    select t.id, w.owner_id, sum(e.amount_cents)::bigint as cents
      from ledger_entries e join ledger_accounts x on x.id = e.account_id and x.code = 'exp:chargeback_loss' and e.side = 'D'
      join ledger_transactions t on t.id = e.transaction_id join ledger_reversals r on r.transaction_id = t.id
      join ledger_entries d on d.transaction_id = r.reverses_id
      join ledger_accounts w on w.id = d.account_id and w.code like 'liab:fan:%:wallet'
      where t.kind like 'deposit\_%' group by t.id, w.owner_id order by t.id
  loop
    -- ledger_account() knows this shape from the next step of the start on.
    insert into ledger_accounts (code, kind, owner_id, spendable) values ('asset:fan:' || v_loss.owner_id || ':receivable', 'asset', v_loss.owner_id, true)
      on conflict do nothing;
    perform ledger_post('debt', array['asset:fan:' || v_loss.owner_id || ':receivable', 'exp:chargeback_loss'], array[v_loss.cents, -v_loss.cents],
      p_reverses => v_loss.id);
  end loop;
  update ledger_accounts w set is_frozen = true, is_frozen_for_debt = true from ledger_accounts o
    where o.code like 'asset:fan:%:receivable' and w.code = 'liab:fan:' || o.owner_id || ':wallet';
  for v_owed in
    select o.owner_id, least(o.balance_cents, w.balance_cents) as cents from ledger_accounts o
      join ledger_accounts w on w.code = 'liab:fan:' || o.owner_id || ':wallet' and w.balance_cents > 0 where o.code like 'asset:fan:%:receivable'
  loop
    perform ledger_post('debt_repayment', array['liab:fan:' || v_owed.owner_id || ':wallet', 'asset:fan:' || v_owed.owner_id || ':receivable'],
      array[v_owed.cents, -v_owed.cents]);
  end loop;
  update ledger_accounts w set is_frozen = false, is_frozen_for_debt = false from ledger_accounts o
    where o.code = 'asset:fan:' || w.owner_id || ':receivable' and o.balance_cents = 0 and w.is_frozen_for_debt;
end $$;

-- Whether spending is blocked stands with the wallet alone. Who was blocked without owing anything was so by a person.
update ledger_accounts w set is_frozen = true from users u
  where u.is_spending_blocked and w.code = 'liab:fan:' || u.id || ':wallet' and not w.is_frozen
    and not exists (select from ledger_accounts o where o.code = 'asset:fan:' || u.id || ':receivable');
alter table users drop column is_spending_blocked;

-- What was kept of a deposit for what its fan owed.
alter table deposits add column kept_cents bigint not null default 0 constraint deposits_kept check (kept_cents between 0 and amount_cents);

-- What a person decides about a fan's debt: the audit of it. A chargeback that was won is decided on its post.
create table debt_decisions (
  id uuid primary key default uuidv7(),
  fan_id uuid not null references users on delete restrict,
  -- Null: by the command, on the machine.
  actor_id uuid references users on delete restrict,
  decision text not null check (decision in ('writeOff', 'block', 'unblock')),
  ground text not null,
  -- What was written off; what was owed when spending was blocked or unblocked.
  amount_cents bigint not null check (amount_cents >= 0),
  decided_at timestamptz(3) not null
);
create index debt_decisions_of_fan on debt_decisions (fan_id, id);
-- Not by their balance: what moves it often would not stay on its page.
create index ledger_accounts_in_debt on ledger_accounts (code) where code like 'asset:fan:%:receivable';
create index ledger_accounts_frozen on ledger_accounts (code) where is_frozen;

alter table processor_decisions drop constraint processor_decisions_decision_check;
alter table processor_decisions add constraint processor_decisions_decision_check
  check (decision in ('retry', 'dismiss', 'refund', 'refunded', 'notRefunded', 'won'));
-- won: a chargeback that the processor gave back.
alter table processor_events drop constraint processor_events_state_check;
alter table processor_events add constraint processor_events_state_check
  check (state in ('received', 'waiting', 'processed', 'ignored', 'quarantined', 'dismissed', 'refunding', 'refunded', 'won'));

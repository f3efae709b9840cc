-- A batch that PayPal refuses as a whole is taken apart: its requests stay approved and wait to be sent again.
insert into ledger_kinds (kind, title, statement_type, debits, credits) values
  ('payout_unsent', 'Payout not sent', 'other', '{liab:payout_clearing:%,rev:payout_fee}',
    '{liab:creator:%:payout_reserved,liab:affiliate:%:payout_reserved}');

alter table payout_batches
  -- How often PayPal was asked to take it without a known answer, counted before it is asked: any of them may have been taken.
  add column unanswered_count int not null default 0 check (unanswered_count >= 0),
  -- What was put into it, whatever became of that.
  add column item_count int check (item_count > 0),
  add column net_cents bigint check (net_cents > 0);
update payout_batches b set item_count = p.items, net_cents = p.cents
  from (select batch_id, count(*)::int as items, sum(amount_cents - fee_cents)::bigint as cents from payouts where batch_id is not null group by 1) p
  where p.batch_id = b.id;
alter table payout_batches alter column item_count set not null, alter column net_cents set not null;
-- Of those under way nobody wrote down what was answered.
update payout_batches set unanswered_count = 1 where rail = 'paypal' and state in ('sending', 'unknown');

-- The batch that it was taken out of, as long as it waits to be sent again.
alter table payouts
  add column refused_batch_id uuid references payout_batches,
  add constraint payouts_refused check (refused_batch_id is null or batch_id is null);
create index payouts_refused on payouts (refused_batch_id) where refused_batch_id is not null;

alter table payout_moments drop constraint payout_moments_moment_check;
alter table payout_moments add constraint payout_moments_moment_check check (moment in ('requested', 'inreview', 'approved', 'rejected',
  'cancelled', 'queued', 'sent', 'broadcast', 'confirming', 'unknown', 'unsent', 'paid', 'failed', 'returned'));

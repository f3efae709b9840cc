-- What came into an account by month and in all, beside its days: a year is twelve rows, and everything is one, however many days there were.
create table ledger_sums (
  account_id bigint not null,
  span text not null check (span in ('month', 'all')),
  -- The month's first day; of all, -infinity.
  first date not null,
  tag text not null,
  amount_cents bigint not null,
  items bigint not null,
  platform_cents bigint not null,
  primary key (account_id, span, first, tag)
);
insert into ledger_sums (account_id, span, first, tag, amount_cents, items, platform_cents)
  select d.account_id, s.span, s.first, d.tag, sum(d.amount_cents), sum(d.items), sum(d.platform_cents)
  from ledger_days d cross join lateral (values ('month', date_trunc('month', d.day::timestamp)::date), ('all', '-infinity'::date)) s (span, first)
  group by 1, 2, 3, 4;

-- The lowest and highest prices that operators set, in cents; of a kind that is not here the release's own are in force.
create table sales_price_limits (
  kind text primary key check (kind in ('tip', 'post', 'chatMedia', 'callRate', 'addFunds')),
  min_cents bigint not null check (min_cents > 0),
  max_cents bigint not null check (max_cents >= min_cents)
);

/**
 * A minimal ledger: wallets that cannot go below zero, tips that are idempotent by their operation id with three
 * entries each, and appended income. It shows the cost of the database itself, independent of the product's ledger.
 */
export const PLAIN_LEDGER = `
create schema bench;
create table bench.wallets (fan uuid primary key, balance bigint not null check (balance >= 0)) with (fillfactor = 60);
create table bench.tips (
  id uuid primary key, operation uuid not null unique, fan uuid not null, creator uuid not null, amount bigint not null,
  balance bigint not null, created_at timestamptz not null default now()
);
create table bench.entries (
  tip uuid not null, leg smallint not null, account text not null, owner uuid, amount bigint not null, primary key (tip, leg)
);
create function bench.tip(p_fan uuid, p_creator uuid, p_amount bigint, p_operation uuid, out id uuid, out balance bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  v_id uuid;
  v_balance bigint;
begin
  update bench.wallets w set balance = w.balance - p_amount where w.fan = p_fan returning w.balance into v_balance;
  insert into bench.tips (id, operation, fan, creator, amount, balance)
    values (uuidv7(), p_operation, p_fan, p_creator, p_amount, v_balance)
    on conflict (operation) do nothing returning tips.id into v_id;
  if v_id is null then
    update bench.wallets w set balance = w.balance + p_amount where w.fan = p_fan;
    select t.id, t.balance into v_id, v_balance from bench.tips t where t.operation = p_operation;
  else
    insert into bench.entries values (v_id, 1, 'wallet', p_fan, -p_amount),
      (v_id, 2, 'pending', p_creator, p_amount - p_amount / 5), (v_id, 3, 'fee', null, p_amount / 5);
  end if;
  id := v_id;
  balance := v_balance;
end $$;
`;

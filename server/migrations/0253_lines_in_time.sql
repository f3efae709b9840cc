-- Lines of a statement are in the order of time but for what was late to be written: the time of the latest line, and by how much any came
-- after a later one. With them the line before an instant is found without reading the statement.
alter table ledger_accounts add column line_at timestamptz(3), add column late_ms bigint not null default 0;
update ledger_accounts a set line_at = l.line_at, late_ms = l.late_ms
  from (select account_id, max(at) as line_at, coalesce(max(extract(epoch from before - at) * 1000) filter (where before > at), 0)::bigint as late_ms
    from (select l.account_id, t.occurred_at as at,
          max(t.occurred_at) over (partition by l.account_id order by l.line rows between unbounded preceding and 1 preceding) as before
        from ledger_lines l join ledger_transactions t on t.id = l.transaction_id) every
    group by account_id) l where l.account_id = a.id;

-- When something of a sale was given back last: a period looks at no sale that was done with before it.
alter table sales add column given_back_at timestamptz(3);
update sales s set given_back_at = b.at
  from (select r.reverses_id as id, max(t.occurred_at) as at from ledger_reversals r join ledger_transactions t on t.id = r.transaction_id and t.kind = 'sale_refund'
    group by 1) b where b.id = s.id;
drop index sales_given_back;
create index sales_given_back on sales (creator_id, given_back_at) include (created_at) where reversed_cents > 0;

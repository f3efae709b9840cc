-- Returns every immutable field of the transactions, orders, external events and decisions with ids from p_from to
-- p_to, and of all kinds. Fields that only the owner of the money may see are sealed: the operation, the request and
-- the statement positions. Balances after a line and pending clearings are left out because they follow from the rest
-- (npm run ledger:check proves both). A commission has a second leaf for its affiliate, in which the sale is sealed.
create or replace function transparency_rows(p_from uuid, p_to uuid)
returns table (type text, row_id uuid, body jsonb, sealed jsonb) language sql stable as $$
  select 'transaction', t.id,
    jsonb_build_object('id', t.id, 'at', transparency_time(t.occurred_at), 'kind', t.kind, 'actor', t.actor_id,
      'legs', (select jsonb_agg(jsonb_build_object('account', l.account_id, 'code', a.code, 'kind', a.kind, 'owner', a.owner_id,
          'spendable', a.spendable, 'cents', l.amount) order by l.leg)
        from unnest(t.account_ids, t.amounts::bigint[]) with ordinality as l (account_id, amount, leg) left join ledger_accounts a on a.id = l.account_id),
      'external', case when x.transaction_id is not null then jsonb_build_object('provider', x.provider, 'event', x.event_key, 'ref', x.ref) end,
      'reverses', r.reverses_id, 'clears', g.sales,
      'sale', case when s.id is not null then jsonb_build_object('fan', s.fan_id, 'creator', s.creator_id, 'subject', s.subject_id,
        'at', transparency_time(s.created_at), 'clearsAt', transparency_time(s.clears_at), 'grossCents', s.gross_cents,
        'feeCents', s.fee_cents, 'feeBasisPoints', s.fee_basis_points, 'kind', s.kind, 'tipType', s.tip_type, 'note', s.note) end,
      'post', case when p.transaction_id is not null then jsonb_build_object('fan', p.fan_id, 'post', p.post_id, 'priceCents', p.price_cents,
        'at', transparency_time(p.purchased_at)) end,
      'message', case when c.transaction_id is not null then jsonb_build_object('fan', c.fan_id, 'creator', c.creator_id, 'message', c.message_id,
        'type', c.type, 'priceCents', c.price_cents, 'at', transparency_time(c.purchased_at)) end)
      -- Added only where it exists, so that entries logged before commissions existed keep their hash.
      || case when q.id is null then '{}' else jsonb_build_object('commission', jsonb_build_object('sale', q.sale_id, 'affiliate', q.affiliate_id,
        'referred', q.referred_id, 'fan', q.fan_id, 'basisPoints', q.basis_points, 'cents', q.cents,
        'at', transparency_time(q.created_at), 'clearsAt', transparency_time(q.clears_at))) end,
    jsonb_build_object('operation', t.operation_id, 'request', encode(t.request_hash, 'hex'), 'metadata', t.metadata, 'lines', l.lines)
  from ledger_transactions t
  left join transparency_lines(p_from, p_to) l on l.transaction_id = t.id
  left join transparency_clearings(p_from, p_to) g on g.clearing_id = t.id
  left join ledger_external_refs x on x.transaction_id = t.id
  left join ledger_reversals r on r.transaction_id = t.id
  left join sales s on s.id = t.id
  left join sales_commissions q on q.id = t.id
  left join post_purchases p on p.transaction_id = t.id
  left join chat_purchases c on c.transaction_id = t.id
  where t.id between p_from and p_to
  union all
  select 'commission', t.id, jsonb_build_object('id', t.id, 'at', transparency_time(t.occurred_at), 'kind', t.kind, 'affiliate', q.affiliate_id,
      'basisPoints', q.basis_points, 'cents', q.cents, 'clearsAt', transparency_time(q.clears_at),
      'legs', (select jsonb_agg(jsonb_build_object('account', l.account_id, 'code', a.code, 'cents', l.amount) order by l.leg)
        from unnest(t.account_ids, t.amounts::bigint[]) with ordinality as l (account_id, amount, leg) left join ledger_accounts a on a.id = l.account_id)),
    jsonb_build_object('sale', q.sale_id, 'referred', q.referred_id, 'fan', q.fan_id)
  from ledger_transactions t left join sales_commissions q on q.id = t.id where t.kind = 'commission' and t.id between p_from and p_to
  union all
  select 'order', d.id, jsonb_build_object('id', d.id, 'order', d.order_id, 'fan', d.fan_id, 'provider', d.provider,
    'amountCents', d.amount_cents, 'feeCents', d.fee_cents, 'payableCents', d.payable_cents, 'credits', d.credits,
    'currency', d.currency_code, 'at', transparency_time(d.created_at), 'expiresAt', transparency_time(d.expires_at)), '{}'
  from deposits d where d.id between p_from and p_to
  union all
  select 'event', e.id, jsonb_build_object('id', e.id, 'provider', e.provider, 'type', e.event_type, 'transaction', e.processor_transaction_id,
    'subscription', e.processor_subscription_id, 'bodyHash', encode(e.body_hash, 'hex'), 'contentType', e.content_type, 'peer', e.peer,
    'query', e.query, 'fields', e.fields, 'isConflicting', e.is_conflicting, 'reportedAt', e.reported_at, 'at', transparency_time(e.received_at)), '{}'
  from processor_webhooks e where e.id between p_from and p_to
  union all
  select 'decision', o.id, jsonb_build_object('id', o.id, 'on', 'event', 'event', o.webhook_id, 'actor', o.actor_id, 'decision', o.decision,
    'at', transparency_time(o.decided_at)), jsonb_build_object('reason', o.reason)
  from processor_webhook_decisions o where o.id between p_from and p_to
  union all
  select 'decision', b.id, jsonb_build_object('id', b.id, 'on', 'debt', 'fan', b.fan_id, 'actor', b.actor_id, 'decision', b.decision,
    'cents', b.amount_cents, 'at', transparency_time(b.decided_at)), jsonb_build_object('reason', b.reason)
  from debt_decisions b where b.id between p_from and p_to
  union all
  select 'decision', f.id, jsonb_build_object('id', f.id, 'on', 'difference', 'difference', f.difference_id, 'actor', f.actor_id,
    'at', transparency_time(f.explained_at)), jsonb_build_object('reason', f.reason)
  from reconciliation_explanations f where f.id between p_from and p_to
  union all
  select 'decision', u.id, jsonb_build_object('id', u.id, 'on', 'audit', 'position', u.position, 'hash', encode(u.hash, 'hex')), '{}'
  from audit_log u where u.id between p_from and p_to
  union all
  -- The outcome of a pending approval is in the audit log (npm run ledger:check compares them). Settings move no money.
  select 'decision', w.id, jsonb_build_object('id', w.id, 'on', 'approval', 'kind', w.kind, 'subject', w.subject_id, 'operator', w.operator_id,
    'cents', w.amount_cents, 'isPassed', w.outcome is not distinct from 'passed', 'at', transparency_time(w.at)),
    jsonb_build_object('subjectLabel', w.subject_label, 'payload', w.payload, 'reason', w.reason)
  from approval_requests w where w.kind <> 'setting' and w.id between p_from and p_to
  union all
  -- The reversal of a settlement is a transaction of its own, and its operator and reason are in the audit log (npm run
  -- ledger:check compares them).
  select 'decision', v.id, jsonb_build_object('id', v.id, 'on', 'settlement', 'provider', v.provider, 'reference', v.reference, 'day', v.day,
    'bankCents', v.bank_cents, 'feeCents', v.fee_cents, 'chargebackFeeCents', v.chargeback_fee_cents, 'transaction', v.transaction_id,
    'operator', v.operator_id, 'at', transparency_time(v.at)), '{}'
  from processor_settlements v where v.id between p_from and p_to
  union all
  select 'order', y.id, jsonb_build_object('id', y.id, 'payout', y.transaction_id, 'user', y.user_id, 'source', y.source,
    'amountCents', y.amount_cents, 'feeCents', y.fee_cents, 'at', transparency_time(y.created_at)), jsonb_build_object('method', y.method_id)
  from payouts y where y.id between p_from and p_to
  union all
  select 'kind', md5(k.kind)::uuid, jsonb_build_object('kind', k.kind, 'feeAccount', k.fee_account, 'feeAccountId', k.fee_account_id,
    'isOnce', k.is_once, 'debits', k.debits, 'credits', k.credits), '{}'
  from ledger_kinds k
$$;

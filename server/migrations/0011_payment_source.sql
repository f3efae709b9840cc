-- subscriptions

alter table subscriptions rename column purse to payment_source;

-- deposits

-- The time of the latest change of the billing date, by the clock of the processor. An older one is late and has no effect.
alter table recurring_payments add column date_changed_at timestamptz(3);

-- What of a hold counts towards the spending of its day: of one that was extended over midnight, what was set aside since.
alter table ledger_holds add column spent_cents bigint not null default 0;
update ledger_holds set spent_cents = amount_cents where state = 'held';
alter table ledger_holds add constraint ledger_holds_spent check (spent_cents between 0 and amount_cents);

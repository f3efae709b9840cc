-- What is told live carries a revision, by which of two tellings the later one is known whichever arrives first (decision 0040).

-- Balances: the line of the wallet's statement is answered beside them.
drop function sales_charge;
drop function sales_charge_refused;
drop function ledger_spend;

-- Chat: a count of the changes of a row.

alter table conversations add column revision bigint not null default 0;
alter table messages add column revision bigint not null default 0;
-- Of what a broadcast's messages have from it: a message's revision is the sum of both.
alter table broadcasts add column revision bigint not null default 0;

create function chat_revise() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger conversations_revise before update on conversations for each row execute function chat_revise();
create trigger messages_revise before update on messages for each row execute function chat_revise();
create trigger broadcasts_revise before update on broadcasts for each row execute function chat_revise();

-- The same reference typed in capitals or not is the same settlement.
drop index processor_settlements_reference;
create unique index processor_settlements_reference on processor_settlements (provider, lower(reference)) where taken_back_id is null;

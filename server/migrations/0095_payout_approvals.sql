-- How many operators approve a request, by the limit when it was made: one who raises the limit does not approve alone what waited
-- for two.
alter table payouts add column approvals_needed smallint not null default 1 check (approvals_needed between 1 and 2);

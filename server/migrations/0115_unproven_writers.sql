-- Whether whoever wrote was logged in; an address alone proves nothing. An appeal counts for once only from who it was done to.
alter table cases add column is_unproven boolean not null default false;
drop index cases_appealed_once;
create unique index cases_appealed_once on cases (decision_id) where kind = 'appeal' and not is_unproven;
create unique index cases_appealed_unproven on cases (decision_id) where kind = 'appeal' and is_unproven and state <> 'closed';

-- Why a rule requested nothing on the last day on which it was to, for its person.
alter table payout_rules
  add column refused_on date,
  add column refused_why text,
  add constraint payout_rules_refused check ((refused_on is null) = (refused_why is null));

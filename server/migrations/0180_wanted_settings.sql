-- What one operator wants of a setting that guards money, and another has to confirm: not of the limit of payouts alone any more.
create table wanted_settings (
  name text primary key check (name in ('secondApprover', 'coolingHours', 'clearingDays', 'dailySpend')),
  -- In hundredths: of USD, hours or days, by the name.
  hundredths bigint not null check (hundredths >= 0),
  operator_id uuid not null references users,
  ground text not null,
  at timestamptz(3) not null
);
insert into wanted_settings (name, hundredths, operator_id, ground, at)
  select 'secondApprover', wanted_cents, wanted_by, wanted_ground, wanted_at from payout_settings where wanted_cents is not null;
alter table payout_settings
  drop constraint payout_settings_wanted,
  drop column wanted_cents,
  drop column wanted_by,
  drop column wanted_at,
  drop column wanted_ground;

-- What the operator says to everybody: who runs the house, and who agreed to which version of its texts.
create table operator_facts (
  id boolean primary key default true check (id),
  company text not null default '',
  address text not null default '',
  country text not null default '',
  contact_mail text not null default '',
  dmca_agent text not null default '',
  dmca_address text not null default '',
  dmca_mail text not null default '',
  dmca_phone text not null default '',
  custodian text not null default '',
  custodian_address text not null default '',
  custodian_hours text not null default ''
);
insert into operator_facts default values;

-- Evidence: rows come, and none changes.
create table policy_agreements (
  user_id uuid not null references users on delete restrict,
  policy text not null check (policy <> ''),
  version date not null,
  way text not null check (way in ('signUp', 'asked')),
  agreed_at timestamptz(3) not null,
  primary key (user_id, policy, version)
);

-- Who signed up before accepted the terms in the same words.
insert into policy_agreements (user_id, policy, version, way, agreed_at)
  select id, 'terms-of-service', '2026-11-23', 'signUp', consented_at from users where consented_at is not null;

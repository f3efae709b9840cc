-- What people agreed to, as it read then: a text's figures follow the operator's settings, and what was agreed to stays as it was. Each
-- reading is stored once, by its hash; agreements of before name none.
create table policy_texts (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  policy text not null check (policy <> ''),
  version date not null,
  sections jsonb not null,
  agreed_since timestamptz(3) not null
);
alter table policy_agreements add column text_hash text references policy_texts on delete restrict;
create index policy_agreements_of_text on policy_agreements (text_hash);
create index policy_agreements_of_version on policy_agreements (policy, version, agreed_at) where text_hash is not null;

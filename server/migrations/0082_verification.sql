-- How far a creator's verification is (row G5). What tells who they are is sealed under a key of the configuration.
create table verifications (
  creator_id uuid primary key references users on delete cascade,
  status text not null default 'started' check (status in ('started', 'submitted', 'verified', 'failed', 'declined')),
  document_type text check (document_type in ('identityCard', 'passport', 'drivingLicence')),
  details bytea,
  agreement_version text,
  signed_at timestamptz(3),
  -- The name and the lines of the hand.
  signature bytea,
  submitted_at timestamptz(3),
  answer_by timestamptz(3),
  decided_at timestamptz(3),
  decided_by uuid references users on delete set null,
  constraint verifications_detailed check ((details is null) = (document_type is null)),
  constraint verifications_signed check ((agreement_version is null) = (signed_at is null)),
  constraint verifications_submitted check (status = 'started' or submitted_at is not null),
  constraint verifications_decided check (status in ('started', 'submitted') or decided_at is not null)
);
create index verifications_by_status on verifications (status, submitted_at);
create index verifications_decided_at on verifications (decided_at) where decided_at is not null;

create table verification_documents (
  creator_id uuid not null references verifications on delete cascade,
  kind text not null check (kind in ('idFront', 'idBack', 'selfie')),
  state text not null default 'pending' check (state in ('pending', 'submitted', 'rejected', 'approved')),
  reason text,
  -- Null once it was removed.
  file_key text,
  taken_at timestamptz(3) not null,
  primary key (creator_id, kind),
  constraint verification_documents_reason check ((state = 'rejected') = (reason is not null))
);

-- Whom the product verified before it asked for documents. Nobody is asked to prove again who they are; the agreement they sign.
insert into verifications (creator_id, status, submitted_at, decided_at)
  select user_id, 'verified', created_at, created_at from creators where verified_name is not null;

-- Who of a creator's team wrote what stands under the creator's name; null where they wrote it themselves.
alter table case_entries add column member_id uuid;

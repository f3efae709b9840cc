-- The person's wish to close, while an operator's block holds: taken back, the block leaves it as it was.
alter table users add column is_closing_held boolean not null default false;

-- A broadcast that an operator took away: nobody else gets it, and who has it has it no more.
alter table broadcasts add column withheld_at timestamptz(3);
-- Documents and voice notes that nobody loads, their sender neither.
alter table chat_files add column withheld_at timestamptz(3);

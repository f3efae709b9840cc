-- Deleted by its creator while an operator hid it: it is not published again when that is taken back.
alter table posts add column deleted_at timestamptz(3);

-- That something is left for the person to take, which their closing waits for: they are told once.
alter table closings add column told_at timestamptz(3);

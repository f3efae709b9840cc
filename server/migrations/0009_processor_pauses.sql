-- deposits

-- The card processor refused the account of this server: its credentials, its address or a limit. Requests pause until then,
-- in all processes, because three failed logins lock the account out.
create table processor_pauses (
  provider text primary key,
  -- The answer of the processor, as text for operators.
  reason text not null,
  -- Null after an answer without such a problem.
  paused_until timestamptz(3)
);

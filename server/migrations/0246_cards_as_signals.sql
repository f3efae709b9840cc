-- What an account can be known again by is more than its browsers: the cards that it paid with, as keyed hashes too.
alter table browser_signals rename to account_signals;
alter table account_signals rename constraint browser_signals_pkey to account_signals_pkey;
alter table account_signals rename constraint browser_signals_user_id_fkey to account_signals_user_id_fkey;
alter index browser_signals_by_mac rename to account_signals_by_mac;
alter index browser_signals_by_time rename to account_signals_by_time;

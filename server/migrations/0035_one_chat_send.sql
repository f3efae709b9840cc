-- The way of sending from before 0023 goes: releases do not overlap, and nobody calls it. From here on the present body of every
-- function lies in server/functions/ (decision 0041).
drop function chat_send(uuid, boolean, uuid, uuid, uuid, uuid, text, text, bigint, boolean, jsonb, timestamptz, int, int, interval);

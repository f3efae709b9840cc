-- A decision is found by the number that its person was told, which is made of its id's last signs.
create index case_decisions_numbered on case_decisions (right(id::text, 10));

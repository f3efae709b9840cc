-- A report's case counts people, however often one of them wrote.
update cases c set report_count = n.people
  from (select case_id, count(distinct by_id)::int as people from case_entries where kind = 'report' group by case_id) n
  where n.case_id = c.id and c.report_count <> n.people;

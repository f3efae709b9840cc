-- Returns when period p_number of a subscription ends, counted from the anchor, the start of the first one (0 returns the
-- anchor). Adding months to a local time leaves the time of day the same across daylight saving and uses the last day of a shorter
-- month: 31 January, 28 February, 31 March. Adding month by month would lose the 31st.
create or replace function subscription_boundary(p_anchor timestamptz, p_time_zone text, p_recurrence text, p_count int, p_number int)
returns timestamptz language sql stable as $$
  select ((p_anchor at time zone p_time_zone) + p_number * p_count * case p_recurrence
      when 'weekly' then interval '7 days' when 'monthaly' then interval '1 month' when 'yearly' then interval '1 year' end
    ) at time zone p_time_zone
$$;

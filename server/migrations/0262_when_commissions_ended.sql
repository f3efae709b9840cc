-- When an affiliate left: what their people's time is otherwise follows from the referral, which the proof of the sums holds it to.
alter table sales_affiliates add column ended_at timestamptz(3);
update sales_affiliates a set ended_at = a.until_at - interval '1 minute' from referrals r where r.referred_id = a.user_id and a.until_at < r.ends_at;

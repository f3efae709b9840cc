-- What was ever said of a thing, closed cases among it; and of a post, the sales that were given back.
create index cases_about_thing on cases (subject_id, subject, id desc) where subject_id is not null;
create index post_purchases_given_back on post_purchases (post_id) include (price_cents) where revoked_at is not null;

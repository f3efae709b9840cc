-- What was given back, by creator: for their statements, without a walk past all that was sold.
create index sales_given_back on sales (creator_id) where reversed_cents > 0;

-- The fee at which money was set aside: what is taken of it later is charged at that one, whatever was changed in between.
create table sales_hold_terms (
  hold_id uuid primary key,
  creator_id uuid not null,
  fee_basis_points int not null check (fee_basis_points between 0 and 10000)
);

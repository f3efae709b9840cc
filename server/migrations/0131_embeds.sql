-- Which other sites may show a creator's work in frames. Without a row every site may, as what a frame shows is what any visitor sees.
create table embed_settings (
  creator_id uuid primary key references users on delete cascade,
  allowed text not null check (allowed in ('any', 'named', 'none')),
  origins text[] not null default '{}' check (cardinality(origins) <= 20)
);

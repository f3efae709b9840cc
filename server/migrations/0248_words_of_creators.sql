-- Whom a search finds is read along lists of words, each in the order in which creators are shown: what it costs does not grow with how
-- many there are. The triggers that keep the lists call functions whose present bodies are files; what fills them here is as it was then.
drop function if exists creators_like(text, text, int);
drop index creators_search;

create function words_of(p_text text) returns text[] language sql immutable parallel safe strict as $$
  select array(select distinct substr(run, n, 30) as word from regexp_split_to_table(p_text, '[^[:alnum:]]+') run
    cross join generate_series(1, greatest(length(run) - 15, 1), 15) n where run <> '' order by word)
$$;
create function slips_of(p_word text) returns text[] language sql immutable parallel safe strict as $$
  select case when length(p_word) between 4 and 20
    then array(select distinct overlay(p_word placing '' from n for 1) from generate_series(1, length(p_word)) n) || p_word else '{}' end
$$;
create function standing_of(p_followers bigint) returns smallint language sql immutable parallel safe strict as $$
  select floor(ln(greatest(p_followers, 0) + 1) / ln(2) + 1e-9)::smallint
$$;

-- Who is found by which word, and how high they stand.
create table creator_words (
  creator_id uuid not null,
  word text collate "C" not null,
  standing smallint not null
);
-- Every word there is once, with what is left of it after a slip.
create table search_words (
  word text collate "C" not null,
  slips text[] not null
);

-- Filled first and indexed afterwards: of 100,000 creators that is 3,000,000 rows.
insert into creator_words (creator_id, word, standing)
  select c.user_id, w.word, c.standing
  from (select user_id, standing_of(follower_count) as standing, words_of(search_text) as words from creators where is_listed) c
    cross join lateral unnest(c.words) w (word);
insert into search_words (word, slips) select word, slips_of(word) from (select distinct word from creator_words) w;

alter table creator_words add primary key (creator_id, word);
alter table creator_words add foreign key (creator_id) references users (id) on delete cascade;
alter table search_words add primary key (word);
create index creator_words_by_standing on creator_words (word, standing desc, creator_id desc);
create index creator_words_newest on creator_words (word, creator_id desc);
create index search_words_slips on search_words using gin (slips) with (fastupdate = off);
create index search_words_within on search_words using gin (word gin_trgm_ops) with (fastupdate = off);

create function creators_words() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger creators_words_made after insert on creators for each row when (new.is_listed) execute function creators_words();
create trigger creators_words_gone after delete on creators for each row execute function creators_words();
create trigger creators_words_changed after update on creators for each row when (
  old.is_listed <> new.is_listed or new.is_listed and (old.search_text <> new.search_text
    or old.follower_count <> new.follower_count and standing_of(old.follower_count) <> standing_of(new.follower_count))
) execute function creators_words();

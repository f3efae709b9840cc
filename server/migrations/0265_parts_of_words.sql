-- A part of a word is looked for among the ends of all words, in order, and no longer by its letters: of those, lists grow with how many
-- words there are. What fills them here is as functions/profiles/parts_of.sql has it.
create table search_word_parts (
  part text collate "C" not null,
  word text collate "C" not null
);
insert into search_word_parts (part, word)
  select distinct substr(s.word, n, 15), s.word from search_words s cross join lateral generate_series(1, length(s.word) - 2) n;
alter table search_word_parts add primary key (part, word);
drop index search_words_within;

-- Whom a misspelt search means is asked within a category, too: the function takes one more parameter.
drop function if exists creators_like(text, int);

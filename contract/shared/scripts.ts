const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

/** Whether a text has letters of a script that does not separate terms by spaces, so that one letter may be a term. */
export const hasUnspacedScript = (text: string): boolean => UNSPACED.test(text);

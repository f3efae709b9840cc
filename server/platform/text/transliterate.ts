import type { Executor, SqlStatement } from '../database/db.ts';

const TRANSLITERATE: SqlStatement = {
  name: 'platform-transliterate',
  // Decomposed, because the table has not every letter with every accent.
  text: 'select transliterate(normalize(t, NFKD)) as text from unnest($1::text[]) with ordinality as n (t, position) order by position',
};

/** Spells texts in Latin script with ASCII letters, for systems with a restricted character set. Uses the table of search. */
export async function transliterate(db: Executor, texts: readonly string[]): Promise<string[]> {
  return (await db.run<{ text: string }>(TRANSLITERATE, [texts])).map(({ text }) => text);
}

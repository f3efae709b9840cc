/** Reads a long answer page by page, so that it is never in memory as a whole. */
import type { Executor, Statement } from './db.ts';

const ROWS = 1_000;

/** The rows of a statement, asked for once, in a snapshot or a transaction, where a cursor keeps its place. */
export async function* inPages<Row extends object>(
  db: Executor,
  { name, text }: Statement,
  values: readonly unknown[],
): AsyncGenerator<Row[]> {
  await db.run({ name, text: `declare "${name}" no scroll cursor for ${text}` }, values);
  for (;;) {
    const rows = await db.run<Row>({ name: `${name}-next`, text: `fetch ${ROWS} from "${name}"` }, []);
    if (rows.length === 0) return;
    yield rows;
  }
}

import type { Executor, SqlStatement } from './db.ts';

const BATCH_ROWS = 1_000;

/** Reads through a database cursor, so `db` must be a snapshot or a transaction. */
export async function* readInBatches<Row extends object>(
  db: Executor,
  { name, text }: SqlStatement,
  values: readonly unknown[],
): AsyncGenerator<Row[]> {
  await db.run({ name, text: `declare "${name}" no scroll cursor for ${text}` }, values);
  for (;;) {
    const rows = await db.run<Row>({ name: `${name}-next`, text: `fetch ${BATCH_ROWS} from "${name}"` }, []);
    if (rows.length === 0) return;
    yield rows;
  }
}

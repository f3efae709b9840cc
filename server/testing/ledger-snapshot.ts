import { buffer } from 'node:stream/consumers';
import type { TestApp } from './app.ts';

const LEDGER_TABLES =
  '^(ledger_|reconciliation_|transparency_|processor_|sales$|deposits$|post_purchases$|chat_purchases$|audit_log$)';

/**
 * Saves the ledger tables, the transparency log and its files. Returns a function that restores them, so that tests that change
 * or tamper with all of them can share an app.
 */
export async function snapshotLedger({ owner, ctx }: TestApp): Promise<() => Promise<void>> {
  const { rows } = await owner.pool.query<{ name: string; columns: string }>(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname ~ $1
      group by c.relname`,
    [LEDGER_TABLES],
  );
  const copyStatements = rows.map(
    ({ name, columns }) => `create table ledger_snapshot.${name} as select ${columns} from ${name}`,
  );
  await owner.pool.query(['create schema ledger_snapshot', ...copyStatements].join(';'));
  const restoreStatements = rows.flatMap(({ name, columns }) => [
    `delete from ${name}`,
    `insert into ${name} (${columns}) overriding system value select ${columns} from ledger_snapshot.${name}`,
  ]);
  const files = new Map<string, Buffer>();
  for await (const { key } of ctx.storage.list('ledger')) {
    const file = await ctx.storage.open(key);
    if (file) files.set(key, await buffer(await file.stream()));
  }
  return async () => {
    const text = ['begin', 'set local session_replication_role = replica', ...restoreStatements, 'commit'].join(';');
    await owner.pool.query(text);
    await ctx.storage.removeAll('ledger');
    for (const [key, content] of files) await ctx.storage.put(key, content, 'text/plain');
  };
}

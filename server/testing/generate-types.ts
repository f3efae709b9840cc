/**
 * Writes the row types, `kernel/tables.ts`, from a database that is up to date; with `--verify` only tells
 * whether the committed file is up to date. What a type says is what `kernel/db.ts` makes the driver return.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestPostgres, testDatabase } from './database.ts';

const target = fileURLToPath(new URL('../kernel/tables.ts', import.meta.url));
const generator = fileURLToPath(new URL('../../node_modules/kysely-codegen/dist/cli/bin.js', import.meta.url));
/** `ColumnType` takes what is read, inserted and updated: times are read as dates and may be written as ISO strings. */
const types = { int8: 'number', jsonb: 'unknown', json: 'unknown', citext: 'string', uuid: 'string' };
const header =
  '/** Row types of every table. Generated from the migrated database by `npm run db:types`; do not edit. */\n';

async function generate(): Promise<string> {
  const postgres = await startTestPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'stagedoor-types-'));
  try {
    const database = await testDatabase();
    const output = join(folder, 'tables.ts');
    const args = ['--dialect=postgres', `--url=${database.url}`, `--out-file=${output}`, '--log-level=error'];
    args.push('--default-schema=public', '--include-pattern=public.*', '--exclude-pattern=public.schema_*');
    args.push('--numeric-parser=number', `--type-mapping=${JSON.stringify(types)}`);
    execFileSync(process.execPath, [generator, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    await database.drop();
    return header + readFileSync(output, 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\s*/, '');
  } finally {
    rmSync(folder, { recursive: true });
    await postgres.stop();
  }
}

try {
  const generated = await generate();
  if (!process.argv.includes('--verify')) {
    writeFileSync(target, generated);
  } else if (readFileSync(target, 'utf8') !== generated) {
    throw new Error('server/kernel/tables.ts does not match the migrations: run npm run db:types.');
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

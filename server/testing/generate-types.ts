/** Generates `platform/database/tables.ts` from a migrated database. `--verify` only compares. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, startTestPostgres } from './database.ts';

const target = fileURLToPath(new URL('../platform/database/tables.ts', import.meta.url));
const generator = fileURLToPath(new URL('../../node_modules/kysely-codegen/dist/cli/bin.js', import.meta.url));
/** Times are read as dates and may be written as ISO strings. */
const types = { int8: 'number', jsonb: 'unknown', json: 'unknown', citext: 'string', uuid: 'string' };
const header =
  '/** Row types of every table. Generated from the migrated database by `npm run db:types`; do not edit. */\n';

async function generate(): Promise<string> {
  const postgres = await startTestPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'stagedoor-types-'));
  try {
    const database = await createTestDatabase();
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
  } else {
    const [is, should] = [readFileSync(target, 'utf8').split('\n'), generated.split('\n')];
    const index = Array.from({ length: Math.max(is.length, should.length) }, (_, at) => at).find(
      (at) => is[at] !== should[at],
    );
    if (index !== undefined)
      throw new Error(
        `server/platform/database/tables.ts:${index + 1} is "${is[index]?.trim() ?? ''}", and the migrations make it "${should[index]?.trim() ?? ''}": run npm run db:types (or npm test -- --update), which writes the file.`,
      );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

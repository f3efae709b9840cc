/**
 * `npm run ledger:verify -- journal.json [--key VKEY]`: verifies a journal that a person exported. Needs no database and no
 * configuration; exits with 1 when anything in it is not as the log says.
 */
import { parseArgs } from 'node:util';
import { readLines, verifyLines } from './verify.ts';

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined) throw new Error('Name the file: npm run ledger:verify -- journal.json [--key VKEY]');
  const { checkpoint, count, wrong } = await verifyLines(readLines(file), values.key);
  console.log(`${checkpoint.origin}, ${checkpoint.size} leaves, root ${checkpoint.root.toString('base64')}`);
  if (values.key === undefined) console.log('The key is the one in the file; name the one you know with --key.');
  for (const line of wrong) console.log(`WRONG ${line}`);
  console.log(
    `${count - wrong.length} of ${count} transactions are in the log. Whether these are all, it does not say.`,
  );
  return wrong.length === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

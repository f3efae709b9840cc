/**
 * `npm run ledger:verify -- journal.json [--key VKEY]`: verifies an exported journal without database or configuration.
 * Exits with 1 when anything in it differs from the log.
 */
import { parseArgs } from 'node:util';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { type JournalVerdict, readLines, verifyLines } from './verify.ts';

function formatSums(sums: JournalVerdict['sums']): string[] {
  const parts = Object.entries(sums).map(
    ([name, cents]) => `${name.replaceAll('_', ' ')} ${formatCents(cents, { sign: true })}`,
  );
  const total = Object.values(sums).reduce((sum, cents) => sum + cents, 0);
  return parts.length === 0 ? [] : [`Total: ${formatCents(total, { sign: true })} (${parts.join(', ')}).`];
}

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined) throw new Error('Usage: npm run ledger:verify -- journal.json [--key VKEY]');
  const { checkpoint, count, wrong, sums } = await verifyLines(readLines(file), values.key);
  console.log(`${checkpoint.origin}, ${checkpoint.size} leaves, root ${checkpoint.root.toString('base64')}`);
  if (values.key === undefined) console.log('Using the key from the file. Pass a trusted key with --key.');
  for (const line of wrong) console.log(`WRONG ${line}`);
  console.log(
    `${count - wrong.length} of ${count} transactions are in the log. Compare with your balance to check that none are missing.`,
  );
  for (const line of formatSums(sums)) console.log(line);
  return wrong.length === 0;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

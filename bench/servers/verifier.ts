/**
 * Verifies an exported journal as `npm run ledger:verify` does, or, for comparison, only parses and hashes every line
 * once.
 */
import { createHash } from 'node:crypto';
import { readLines, verifyLines } from '../../server/modules/trust/transparency-log/verify.ts';
import { respondToParent } from './parent-messages.ts';

export type VerifierJob = { file: string; isBare: boolean };

async function readBare(file: string): Promise<number> {
  let count = 0;
  for await (const line of readLines(file)) {
    if (!line.startsWith('{"position"')) continue;
    createHash('sha256')
      .update(JSON.stringify(JSON.parse(line.replace(/,$/, ''))))
      .digest();
    count += 1;
  }
  return count;
}

async function verifyJournal({ file, isBare }: VerifierJob): Promise<number> {
  if (isBare) return readBare(file);
  const { count, wrong } = await verifyLines(readLines(file));
  if (wrong.length > 0) throw new Error(`a journal is wrong: ${wrong[0]}`);
  return count;
}

respondToParent(0, (job) => verifyJournal(job as VerifierJob));

/** A journal as the product exports it: this many leaves of its own log, each with its proof, and a signature. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { inclusionProof, leafHash, nodeHash, rootOf } from '../../server/features/transparency/merkle.ts';
import { signCheckpoint, signingKey, verifierOf, vkeyOf } from '../../server/features/transparency/note.ts';

const HASH_BYTES = 32;
const ORIGIN = 'bench.example/log';

function dataOf(n: number): string {
  const id = `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const legs = ['wallet', 'pending', 'fee'].map((code) => ({
    account: n,
    code,
    kind: 'liability',
    owner: id,
    cents: 100,
  }));
  const sale = { fan: id, creator: id, grossCents: 100, feeCents: 10, kind: 'tip', note: 'For the garden' };
  const body = { id, at: '2028-02-29T12:00:00.000Z', kind: 'tip', actor: id, legs, sale };
  return `${n.toString(16).padStart(32, '0')}${JSON.stringify({ type: 'transaction', sealed: id, body })}`;
}

function levelsOf(size: number): Buffer[] {
  const leaves = Buffer.alloc(size * HASH_BYTES);
  for (let n = 0; n < size; n += 1) leafHash(Buffer.from(dataOf(n))).copy(leaves, n * HASH_BYTES);
  const levels = [leaves];
  for (let below = leaves; below.length >= 2 * HASH_BYTES; ) {
    const level = Buffer.alloc(Math.floor(below.length / HASH_BYTES / 2) * HASH_BYTES);
    for (let at = 0; at < level.length; at += HASH_BYTES)
      nodeHash(
        below.subarray(2 * at, 2 * at + HASH_BYTES),
        below.subarray(2 * at + HASH_BYTES, 2 * at + 2 * HASH_BYTES),
      ).copy(level, at);
    levels.push(level);
    below = level;
  }
  return levels;
}

export async function writeJournalOf(size: number, file: string): Promise<void> {
  const levels = levelsOf(size);
  const read = (level: number, index: number): Buffer =>
    levels[level]?.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES) ?? Buffer.alloc(0);
  const key = signingKey(randomBytes(32).toString('hex'));
  const checkpoint = signCheckpoint({ origin: ORIGIN, size, root: await rootOf(size, read) }, key);
  const head = JSON.stringify({ checkpoint, key: vkeyOf(verifierOf(ORIGIN, key)), limit: 0 });
  const out = createWriteStream(file);
  out.write(`${head.slice(0, -1)},"data":[`);
  for (let position = 0; position < size; position += 1) {
    const proof = (await inclusionProof(position, size, read)).map((hash) => hash.toString('base64'));
    const entry = JSON.stringify({ position, data: dataOf(position), sealed: null, proof });
    if (!out.write(`${position === 0 ? '\n' : ',\n'}${entry}`)) await once(out, 'drain');
  }
  out.end('\n]}\n');
  await once(out, 'close');
}

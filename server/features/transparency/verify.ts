/** Verifies an exported journal by itself: without our database, our server, or anything but the file and a public key. */
import { createHash } from 'node:crypto';
import { type Journal, type JournalEntry, journal } from '@stagedoor/contract/transparency.ts';
import * as z from 'zod/mini';
import { leafHash, rootByInclusion } from './merkle.ts';
import { type Checkpoint, openCheckpoint, parseVkey } from './note.ts';

export type Verdict = {
  /** What was signed. */
  checkpoint: Checkpoint;
  /** How many entries were looked at, and what is wrong with which. */
  count: number;
  wrong: string[];
};

/** The salt in front of the JSON, in characters. */
const SALT_LENGTH = 32;
const SALT = /^[0-9a-f]{32}$/;
const leafSays = z.object({ type: z.string(), sealed: z.string(), body: z.object({ id: z.optional(z.string()) }) });

function problemOf({ position, data, sealed, proof }: JournalEntry, { size, root }: Checkpoint): string | undefined {
  const parts = proof.map((part) => Buffer.from(part, 'base64'));
  const reached = rootByInclusion(leafHash(Buffer.from(data)), position, size, parts);
  if (!reached?.equals(root)) return 'is not in the log as it says';
  const leaf = z.parse(leafSays, JSON.parse(data.slice(SALT_LENGTH)));
  if (leaf.type !== 'transaction') return 'is no transaction';
  if (sealed === null) return undefined;
  if (!SALT.test(sealed.salt)) return 'has a salt that is none';
  const hash = createHash('sha256')
    .update(sealed.salt + sealed.text)
    .digest('hex');
  return leaf.sealed === hash ? undefined : 'has another sealed part';
}

function verifyEntries({ data }: Journal, checkpoint: Checkpoint): string[] {
  const seen = new Set<number>();
  return data.flatMap((entry) => {
    const problem = seen.has(entry.position) ? 'is there twice' : problemOf(entry, checkpoint);
    seen.add(entry.position);
    return problem === undefined ? [] : [`place ${entry.position} ${problem}`];
  });
}

/**
 * Verifies a journal as the server gave it out. `vkey` is the log's public key as you know it; without it the key that the
 * file names is believed. Throws when the file is no journal, or its checkpoint is not signed by that key.
 */
export function verifyJournal(file: unknown, vkey?: string): Verdict {
  const parsed = z.parse(journal, file);
  const key = parseVkey(vkey ?? parsed.key);
  const checkpoint = openCheckpoint(parsed.checkpoint, [key]);
  return { checkpoint, count: parsed.data.length, wrong: verifyEntries(parsed, checkpoint) };
}

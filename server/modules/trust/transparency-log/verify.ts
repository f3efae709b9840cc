/** Verifies an exported journal with only the file and a public key, without our database or server. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type Journal, type JournalEntry, journal, journalEntry } from '@stagedoor/contract/trust/transparency-log.ts';
import * as z from 'zod/mini';
import { calculateRootFromProof, hashLeaf } from './merkle.ts';
import { type Checkpoint, openCheckpoint, parseVkey } from './signed-note.ts';

export type JournalVerdict = {
  checkpoint: Checkpoint;
  count: number;
  wrong: string[];
  /** The sum of the entries on each account of their owner, in cents by account name. Debts are negative. */
  sums: Readonly<Record<string, number>>;
};

const SALT_LENGTH = 32;
const SALT = /^[0-9a-f]{32}$/;
const leafSchema = z.object({
  type: z.string(),
  sealed: z.string(),
  body: z.object({
    id: z.optional(z.string()),
    legs: z.optional(z.array(z.object({ code: z.nullable(z.string()), cents: z.number() }))),
  }),
});
const parseLeaf = (data: string) => z.parse(leafSchema, JSON.parse(data.slice(SALT_LENGTH)));

const OWNER_ACCOUNT = /^(?:liab|asset):(fan|creator|affiliate):([^:]+):(.+)$/;

function findProblem({ position, data, sealed, proof }: JournalEntry, { size, root }: Checkpoint): string | undefined {
  const parts = proof.map((part) => Buffer.from(part, 'base64'));
  const reached = calculateRootFromProof(hashLeaf(Buffer.from(data)), position, size, parts);
  if (!reached?.equals(root)) return 'is not in the log at its position';
  const leaf = parseLeaf(data);
  if (leaf.type !== 'transaction' && leaf.type !== 'commission') return 'is no transaction';
  if (sealed === null) return undefined;
  if (!SALT.test(sealed.salt)) return 'has an invalid salt';
  const hash = createHash('sha256')
    .update(sealed.salt + sealed.text)
    .digest('hex');
  return leaf.sealed === hash ? undefined : 'has another sealed part';
}

class JournalVerifier {
  private readonly seen = new Set<number>();
  private readonly wrong: string[] = [];
  private readonly checkpoint: Checkpoint;
  private readonly sums = new Map<string, number>();
  private readonly owners = new Set<string>();
  private count = 0;

  /** Throws when the checkpoint is not signed with that key. */
  constructor({ checkpoint, key }: Pick<Journal, 'checkpoint' | 'key'>, vkey: string | undefined) {
    this.checkpoint = openCheckpoint(checkpoint, [parseVkey(vkey ?? key)]);
  }

  verifyEntry(entry: JournalEntry): void {
    const { position } = entry;
    const problem = this.seen.has(position) ? 'is there twice' : findProblem(entry, this.checkpoint);
    if (problem !== undefined) this.wrong.push(`position ${position} ${problem}`);
    else this.add(entry);
    this.seen.add(position);
    this.count += 1;
  }

  /** Only entries of a fan have a sealed part. All others belong to a creator or are commission. */
  private add({ data, sealed, position }: JournalEntry): void {
    const ownSide = sealed === null ? 'creator' : 'fan';
    for (const { code, cents } of parseLeaf(data).body.legs ?? []) {
      const [, side, owner, name] = OWNER_ACCOUNT.exec(code ?? '') ?? [];
      if (owner === undefined || (side !== ownSide && side !== 'affiliate')) continue;
      const account = side === 'affiliate' ? `referrals ${name}` : `${name}`;
      this.owners.add(owner);
      this.sums.set(account, (this.sums.get(account) ?? 0) - cents);
    }
    if (this.owners.size > 1) this.wrong.push(`position ${position} contains someone else’s money`);
  }

  toVerdict(): JournalVerdict {
    const { checkpoint, count, wrong } = this;
    return { checkpoint, count, wrong, sums: Object.fromEntries(this.sums) };
  }
}

/**
 * `vkey` is the log's public key as you know it. Without it the key in the file is trusted. Throws when the file is not
 * a journal or its checkpoint is not signed with that key.
 */
export function verifyJournal(file: unknown, vkey?: string): JournalVerdict {
  const parsed = z.parse(journal, file);
  const verifier = new JournalVerifier(parsed, vkey);
  for (const entry of parsed.data) verifier.verifyEntry(entry);
  return verifier.toVerdict();
}

const HEAD_END = '"data":[';

/**
 * {@link verifyJournal} for the lines of a file. The entries of an export are verified one by one, so that a long
 * journal is not held in memory. Also throws when an export is cut off.
 */
export async function verifyLines(lines: AsyncIterable<string>, vkey?: string): Promise<JournalVerdict> {
  const allLines: string[] = [];
  let verifier: JournalVerifier | undefined;
  let isComplete = false;
  for await (const line of lines) {
    if (verifier === undefined && line.endsWith(HEAD_END))
      verifier = new JournalVerifier(z.parse(journal, JSON.parse(`${line}]}`)), vkey);
    else if (verifier === undefined) allLines.push(line);
    else if (line === ']}') isComplete = true;
    else if (line !== '') verifier.verifyEntry(z.parse(journalEntry, JSON.parse(line.replace(/,$/, ''))));
  }
  if (verifier === undefined) return verifyJournal(JSON.parse(allLines.join('\n')), vkey);
  if (!isComplete) throw new Error('The file is cut off: its end is missing.');
  return verifier.toVerdict();
}

/** The lines of a file. Only a line feed ends a line, because text of users can contain other separators. */
export async function* readLines(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

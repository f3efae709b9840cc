/**
 * Verifies the log: every row matches its leaf, every leaf has its row, and every checkpoint ever signed, in the
 * database or the object storage, is the root of the leaves that it counts.
 */
import { MONEY_KINDS } from '@stagedoor/contract/commerce/money-kinds.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { CheckReport } from '../../ledger/ledger-checks/index.ts';
import * as checks from './check-store.ts';
import { CHECKPOINTS_FOLDER, listVerifiers, readText, toCheckpointKey } from './log-paths.ts';
import { calculateRoot } from './merkle.ts';
import { openCheckpoint, readCheckpoint, renameVerifier, type Verifier } from './signed-note.ts';
import { createTileReader, findLastCheckpoint, readSnapshot } from './store.ts';
import { createHashReader, growTiles, type ReadTile } from './tiles.ts';

export type LogCheckOptions = {
  /** Checks only what came since the last verified checkpoint, otherwise from the first leaf. */
  isFromCheckpoint?: boolean;
  /** A checkpoint stored outside, which this log must continue. */
  note?: string;
};

type FoundCheckpoint = { size: number; note: string; location: string };

const MAX_EXAMPLES = 5;
const LEAVES_PER_BATCH = 20_000;

/** Reads the checkpoints of at least `from` leaves from the object storage. Must run before the database is read. */
async function readStored(storage: Context['storage'], from: number): Promise<FoundCheckpoint[]> {
  const checkpoints: FoundCheckpoint[] = [];
  for await (const { key } of storage.list(CHECKPOINTS_FOLDER)) {
    const size = Number(key.slice(CHECKPOINTS_FOLDER.length + 1));
    if (toCheckpointKey(size) !== key || size < from) continue;
    checkpoints.push({ size, note: (await readText(storage, key)) ?? '', location: 'the store' });
  }
  return checkpoints;
}

async function findMissing(
  storage: Context['storage'],
  rows: readonly { size: number; isStored: boolean }[],
  stored: readonly FoundCheckpoint[],
): Promise<string[]> {
  const sizes = new Set(stored.map(({ size }) => size));
  const missing: string[] = [];
  // It may have been stored after the storage was read.
  for (const { size, isStored } of rows)
    if (isStored && !sizes.has(size) && (await readText(storage, toCheckpointKey(size))) === undefined)
      missing.push(`the checkpoint of ${size} is gone from the store`);
  return missing;
}

class RebuiltTree {
  private readonly tiles = new Map<number, { index: number; hashes: Buffer }>();
  private readonly readTile: ReadTile;
  readonly wrong: string[] = [];
  private readonly tx: Executor;
  size: number;

  constructor(tx: Executor, from: number) {
    this.tx = tx;
    this.size = from;
    const stored = createTileReader(tx);
    // The last tile of each level is enough, because a complete one is a single hash of the level above.
    this.readTile = (level, index) => {
      const last = this.tiles.get(level);
      return last?.index === index ? last.hashes : stored(level, index);
    };
  }

  async growTo(size: number): Promise<boolean> {
    while (this.size < size) {
      const target = Math.min(size, this.size + LEAVES_PER_BATCH);
      const hashes = await checks.readHashes(this.tx, this.size, target);
      if (hashes.length === 0) return false;
      const newTiles = await growTiles(this.size, hashes, this.readTile);
      if (!(await checks.areStored(this.tx, newTiles)))
        this.wrong.push(`tiles of leaves ${this.size} to ${this.size + hashes.length}`);
      for (const { level, index, hashes: tile } of newTiles) this.tiles.set(level, { index, hashes: tile });
      this.size += hashes.length;
    }
    return true;
  }

  calculateRoot(): Promise<Buffer> {
    return calculateRoot(this.size, createHashReader(this.readTile));
  }
}

/** A changed address is still the same log as long as the key is the same. */
function tryOpenCheckpoint({ size, note }: FoundCheckpoint, keys: readonly Verifier[]) {
  try {
    const { origin } = readCheckpoint(note);
    const checkpoint = openCheckpoint(
      note,
      keys.map((key) => renameVerifier(key, origin)),
    );
    return checkpoint.size === size ? { checkpoint } : { problem: `names the size ${checkpoint.size}` };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'cannot be read' };
  }
}

async function checkCheckpoints(
  tx: Executor,
  keys: readonly Verifier[],
  from: number,
  notes: readonly FoundCheckpoint[],
  size: number,
): Promise<string[]> {
  const tree = new RebuiltTree(tx, from);
  const wrong: string[] = [];
  for (const note of notes.toSorted((a, b) => a.size - b.size)) {
    const { checkpoint, problem } = tryOpenCheckpoint(note, keys);
    const name = `the checkpoint of ${note.size} in ${note.location}`;
    if (!checkpoint) wrong.push(`${name}: ${problem}`);
    else if (checkpoint.size < tree.size) wrong.push(`${name}: older than the checked range`);
    else if (!(await tree.growTo(checkpoint.size))) wrong.push(`${name}: the log ends at ${tree.size}`);
    else if (!(await tree.calculateRoot()).equals(checkpoint.root)) wrong.push(`${name}: has another root`);
  }
  await tree.growTo(Number.MAX_SAFE_INTEGER);
  if (tree.size !== size) wrong.push(`${tree.size} leaves in a row, and ${size} signed`);
  return [...wrong, ...tree.wrong];
}

async function checkKinds(tx: Executor) {
  const rows = await checks.readKinds(tx);
  const isKnown = ({ kind, title, statementType, isSale, isOnce }: checks.KindRow) => {
    const known = MONEY_KINDS[kind];
    const isSameSale = (known?.sale !== undefined) === isSale && (known?.sale?.isOnce ?? false) === isOnce;
    return known?.title === title && known.type === statementType && isSameSale;
  };
  const missing = Object.keys(MONEY_KINDS).filter((kind) => !rows.some((row) => row.kind === kind));
  return { count: rows.length, wrong: [...rows.filter((row) => !isKnown(row)).map(({ kind }) => kind), ...missing] };
}

export type LogReport = CheckReport & { size: number };

type LogCheckContext = Pick<Context, 'config' | 'db' | 'storage'>;

/**
 * Uses one snapshot, also while the platform runs, and returns at most five examples for each check. It reads
 * everything, so it is not for requests.
 */
export async function checkLog(
  ctx: LogCheckContext,
  { isFromCheckpoint = false, note }: LogCheckOptions = {},
): Promise<LogReport> {
  const since = isFromCheckpoint ? await checks.findLastChecked(ctx.db) : undefined;
  const from = since?.size ?? 0;
  const stored = await readStored(ctx.storage, from);
  const externalNotes = note === undefined ? [] : [{ size: readCheckpoint(note).size, note, location: 'your file' }];
  return ctx.db.transaction(async (tx) => {
    await checks.startReadOnly(tx);
    const last = await findLastCheckpoint(tx);
    const { xmax, systemIdentifier } = await readSnapshot(tx);
    const rows = await checks.readCheckpoints(tx, from);
    const notes = [
      ...rows.map(({ size, note: text }) => ({ size, note: text, location: 'the database' })),
      ...stored,
      ...externalNotes,
    ];
    const missing = await findMissing(ctx.storage, rows, stored);
    const wrongCheckpoints = await checkCheckpoints(tx, listVerifiers(ctx.config), from, notes, last?.size ?? 0);
    const sequenced = await checks.checkSequenced(tx, {
      from: since?.watermark ?? 0,
      to: last?.watermark ?? 0,
      // No transaction of this cluster has such a number yet. A row with one was forged to avoid the check.
      after: last?.systemIdentifier === systemIdentifier ? xmax : Number.MAX_SAFE_INTEGER,
    });
    const results = [
      { name: 'each leaf of the log matches its row', ...(await checks.checkLeaves(tx, from)) },
      { name: 'each row older than the last checkpoint is in the log', ...sequenced },
      {
        name: 'each signed checkpoint has our signature and is the root of its leaves',
        count: notes.length,
        wrong: [...missing, ...wrongCheckpoints],
      },
      { name: 'each deposit in the journal has its paid order', ...(await checks.checkOrders(tx)) },
      { name: 'each transaction kind is known to the contract', ...(await checkKinds(tx)) },
    ].map((check) => ({ ...check, wrong: check.wrong.slice(0, MAX_EXAMPLES) }));
    return { isClean: results.every(({ wrong }) => wrong.length === 0), checks: results, size: last?.size ?? 0 };
  });
}

export async function markVerified({ db, clock }: Pick<Context, 'db' | 'clock'>, size: number): Promise<void> {
  await checks.markChecked(db, size, clock.now());
}

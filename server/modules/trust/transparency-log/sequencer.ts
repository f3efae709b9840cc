/**
 * Gives every committed row its position in the log, grows the tree and signs its root. Only one sequencer runs at a
 * time in the whole installation.
 */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { NEWEST_CHECKPOINT, readText, toCheckpointKey, toOrigin } from './log-paths.ts';
import { calculateRoot } from './merkle.ts';
import { readCheckpoint, signCheckpoint, toSigningKey } from './signed-note.ts';
import * as store from './store.ts';
import { createHashReader, growTiles, type ReadTile } from './tiles.ts';

const BATCH = 10_000;
/** Rows older than this have a position, unless something is wrong. */
const LATE_MS = 5 * 60_000;

type Tools = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'storage'>;

async function assertContinues(readTile: ReadTile, size: number, note: string, location: string): Promise<void> {
  const signed = readCheckpoint(note);
  const isLongEnough = signed.size <= size;
  const root = isLongEnough ? await calculateRoot(signed.size, createHashReader(readTile)) : undefined;
  if (!root?.equals(signed.root))
    throw new Error(`the log of ${size} leaves does not continue the checkpoint of ${signed.size} in ${location}`);
}

async function sequenceBatch(ctx: Tools, tx: DbTransaction, isFull: boolean): Promise<number> {
  if (!(await store.lockLog(tx))) return 0;
  const last = await store.findLastCheckpoint(tx);
  const before = last?.size ?? 0;
  const readTile = store.createTileReader(tx);
  if (last) await assertContinues(readTile, before, last.note, 'the database');
  const storedNote = await readText(ctx.storage, NEWEST_CHECKPOINT);
  if (storedNote !== undefined) await assertContinues(readTile, before, storedNote, 'the store');

  // Taken before the statements below, so that they see every transaction that it reports as ended.
  const { xmin, xmax, systemIdentifier } = await store.readSnapshot(tx);
  // Transaction numbers of another cluster cannot be compared.
  const isKnown = last?.systemIdentifier === systemIdentifier;
  const window = isFull || !isKnown ? { from: 0, to: Number.MAX_SAFE_INTEGER } : { from: last.watermark, to: xmax };
  const rows = await store.listUnsequenced(tx, { ...window, limit: BATCH });
  if (rows.length === 0) {
    if (last && !isKnown) await store.moveWatermark(tx, { size: before, watermark: xmin, systemIdentifier });
    return 0;
  }
  const progress =
    rows.length < BATCH
      ? { watermark: xmin, systemIdentifier }
      : { watermark: last?.watermark ?? 0, systemIdentifier: last?.systemIdentifier ?? '' };
  const size = before + rows.length;
  const tiles = await growTiles(before, await store.insertLeaves(tx, before, rows), readTile);
  await store.saveTiles(tx, tiles);
  const checkpoint = {
    origin: toOrigin(ctx.config),
    size,
    root: await calculateRoot(size, createHashReader(store.createTileReader(tx))),
  };
  const note = signCheckpoint(checkpoint, toSigningKey(ctx.config.ledgerLogSigningKey));
  await store.insertCheckpoint(tx, { size, note, ...progress, at: ctx.clock.now() });
  return rows.length;
}

/**
 * Copies signed checkpoints to the object storage, where none is overwritten. One process at a time does this, so that
 * an older checkpoint never replaces the newest. What fails is copied the next time.
 */
async function storeCheckpoints(ctx: Tools): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.lockStoring(tx))) return;
    for (const { size, note } of await store.listUnstoredCheckpoints(tx)) {
      const key = toCheckpointKey(size);
      const storedText = await readText(ctx.storage, key);
      if (storedText !== undefined && storedText !== note)
        throw new Error(`another checkpoint of ${size} leaves is in the store`);
      if (storedText === undefined) await ctx.storage.put(key, Buffer.from(note), 'text/plain');
      const newest = await readText(ctx.storage, NEWEST_CHECKPOINT);
      if (newest === undefined || readCheckpoint(newest).size < size)
        await ctx.storage.put(NEWEST_CHECKPOINT, Buffer.from(note), 'text/plain');
      await store.markStored(tx, size, ctx.clock.now());
    }
  });
}

export async function pruneCheckpoints({ db, storage }: Pick<Tools, 'db' | 'storage'>): Promise<number> {
  const sizes = await store.deleteOldCheckpoints(db);
  for (const size of sizes) await storage.remove(toCheckpointKey(size));
  return sizes.length;
}

export async function countLateRows({ db, clock }: { db: Executor; clock: Context['clock'] }): Promise<number> {
  const last = await store.findLastCheckpoint(db);
  return store.countUnsequenced(db, last?.watermark ?? 0, new Date(clock.now().getTime() - LATE_MS));
}

/**
 * `isFull` checks all rows instead of those since the last run. Idempotent. Returns the number of new positions. Throws
 * and signs nothing when the log does not continue what was signed before.
 */
export async function sequenceRows(ctx: Tools, isFull = false): Promise<number> {
  let total = 0;
  try {
    for (;;) {
      const sequenced = await ctx.db.transaction((tx) => sequenceBatch(ctx, tx, isFull));
      total += sequenced;
      if (sequenced < BATCH) break;
    }
    await storeCheckpoints(ctx);
  } catch (error) {
    ctx.log.error({ err: error }, 'the transparency log could not be extended');
    throw error;
  }
  const late = await countLateRows(ctx);
  if (late > 0) ctx.log.error({ late }, 'rows have had no position in the transparency log for minutes');
  return total;
}

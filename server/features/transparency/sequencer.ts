/**
 * Gives every committed row its position in the log, grows the tree and signs its root. Only one sequencer runs at a
 * time in the whole installation.
 */
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { rootOf } from './merkle.ts';
import { readCheckpoint, signCheckpoint, signingKey } from './note.ts';
import { checkpointKey, NEWEST, originOf, readText } from './places.ts';
import * as store from './store.ts';
import { grow, hashesOf, type ReadTile } from './tiles.ts';

const BATCH = 10_000;
/** Rows older than this have a position, unless something is wrong. */
const LATE_MS = 5 * 60_000;

type Tools = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'storage'>;

async function assertContinues(readTile: ReadTile, size: number, note: string, whose: string): Promise<void> {
  const signed = readCheckpoint(note);
  const isThere = signed.size <= size;
  const root = isThere ? await rootOf(signed.size, hashesOf(readTile)) : undefined;
  if (!root?.equals(signed.root))
    throw new Error(`the log of ${size} leaves does not continue the checkpoint of ${signed.size} in ${whose}`);
}

async function placeBatch(ctx: Tools, tx: Transaction, isFull: boolean): Promise<number> {
  if (!(await store.takeLog(tx))) return 0;
  const last = await store.lastCheckpoint(tx);
  const before = last?.size ?? 0;
  const readTile = store.tilesOf(tx);
  if (last) await assertContinues(readTile, before, last.note, 'the database');
  const outside = await readText(ctx.storage, NEWEST);
  if (outside !== undefined) await assertContinues(readTile, before, outside, 'the store');

  // Taken before the statements below, so that they see every transaction that it reports as ended.
  const { xmin, xmax, systemIdentifier } = await store.takeSnapshot(tx);
  // Transaction numbers of another cluster cannot be compared.
  const isKnown = last?.systemIdentifier === systemIdentifier;
  const window = isFull || !isKnown ? { from: 0, to: Number.MAX_SAFE_INTEGER } : { from: last.watermark, to: xmax };
  const places = await store.findFresh(tx, { ...window, limit: BATCH });
  if (places.length === 0) {
    if (last && !isKnown) await store.moveWatermark(tx, { size: before, watermark: xmin, systemIdentifier });
    return 0;
  }
  const reached =
    places.length < BATCH
      ? { watermark: xmin, systemIdentifier }
      : { watermark: last?.watermark ?? 0, systemIdentifier: last?.systemIdentifier ?? '' };
  const size = before + places.length;
  const tiles = await grow(before, await store.placeLeaves(tx, before, places), readTile);
  await store.putTiles(tx, tiles);
  const checkpoint = { origin: originOf(ctx.config), size, root: await rootOf(size, hashesOf(store.tilesOf(tx))) };
  const note = signCheckpoint(checkpoint, signingKey(ctx.config.logSigningKey));
  await store.insertCheckpoint(tx, { size, note, ...reached, at: ctx.clock.now() });
  return places.length;
}

/**
 * Copies signed checkpoints to the object storage, where none is overwritten. One process at a time does this, so that
 * an older checkpoint never replaces the newest. What fails is copied the next time.
 */
async function storeCheckpoints(ctx: Tools): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await store.takeStoring(tx))) return;
    for (const { size, note } of await store.unstoredCheckpoints(tx)) {
      const key = checkpointKey(size);
      const there = await readText(ctx.storage, key);
      if (there !== undefined && there !== note)
        throw new Error(`another checkpoint of ${size} leaves is in the store`);
      if (there === undefined) await ctx.storage.put(key, Buffer.from(note), 'text/plain');
      const newest = await readText(ctx.storage, NEWEST);
      if (newest === undefined || readCheckpoint(newest).size < size)
        await ctx.storage.put(NEWEST, Buffer.from(note), 'text/plain');
      await store.markStored(tx, size, ctx.clock.now());
    }
  });
}

export async function thin({ db, storage }: Pick<Tools, 'db' | 'storage'>): Promise<number> {
  const sizes = await store.thinCheckpoints(db);
  for (const size of sizes) await storage.remove(checkpointKey(size));
  return sizes.length;
}

export async function countLate({ db, clock }: { db: Executor; clock: Context['clock'] }): Promise<number> {
  const last = await store.lastCheckpoint(db);
  return store.countUnplaced(db, last?.watermark ?? 0, new Date(clock.now().getTime() - LATE_MS));
}

/**
 * `isFull` checks all rows instead of those since the last run. Idempotent. Returns the number of new positions. Throws
 * and signs nothing when the log does not continue what was signed before.
 */
export async function sequence(ctx: Tools, isFull = false): Promise<number> {
  let total = 0;
  try {
    for (;;) {
      const placed = await ctx.db.transaction((tx) => placeBatch(ctx, tx, isFull));
      total += placed;
      if (placed < BATCH) break;
    }
    await storeCheckpoints(ctx);
  } catch (error) {
    ctx.log.error({ err: error }, 'the log of the money could not be continued');
    throw error;
  }
  const late = await countLate(ctx);
  if (late > 0) ctx.log.error({ late }, 'rows have no place in the log of the money for minutes');
  return total;
}

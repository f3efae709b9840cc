/**
 * Compares media rows with the store every night. Missing files are reported, files without a row are deleted after
 * some days. Both are read in the order of ids, so that memory use does not grow.
 */

import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { Gauge } from 'prom-client';
import type { Server } from '../../../kernel/bind.ts';
import type { Context } from '../../../kernel/context.ts';
import type { ListedFile } from '../../../kernel/storage.ts';
import { keysOf } from '../files.ts';
import { FOLDERS, mediumOf, originalKey } from '../keys.ts';
import { deletedAmong, findMany, type MediaRow } from '../store.ts';
import { REST_MS } from './deleted.ts';
import * as findings from './findings.ts';

const DAY_MS = 24 * 60 * 60_000;
/** This is longer than any file waits for its row. */
const ORPHAN_MS = 2 * DAY_MS;
/** A large upload may take this long from the machine that received it to the store. */
const ARRIVING_MS = DAY_MS;
const OUTCOMES_KEPT_MS = 400 * DAY_MS;
const AT_ONCE = 500;
const MOST_NOTED = 20_000;
/** Above this share, the database or the store must be the wrong one. */
const MOST_ORPHANED = 0.5;
const SAID = 20;

/** An id without a row was deleted and is retained. */
type Known = { id: string; row: MediaRow | undefined };
type Found = { id: string; key: string; kind: findings.Kind };

async function* knownMedia({ db }: Context): AsyncGenerator<Known> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const ids = await findings.nextKnown(db, after, AT_ONCE);
    const rows = new Map((await findMany(db, ids)).map((row) => [String(row.id), row]));
    for (const id of ids) yield { id, row: rows.get(id) };
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Throws if the store does not list files in order, because the comparison depends on it. */
async function* mediumByMedium(files: AsyncIterable<ListedFile>): AsyncGenerator<{ id: string; files: ListedFile[] }> {
  let group: { id: string; files: ListedFile[] } | undefined;
  for await (const file of files) {
    const id = mediumOf(file.key);
    if (group && id < group.id) throw new Error(`the store does not list its files in order: ${file.key}`);
    if (group?.id === id) group.files.push(file);
    else {
      if (group) yield group;
      group = { id, files: [file] };
    }
  }
  if (group) yield group;
}

async function next<T>(from: AsyncGenerator<T>): Promise<T | undefined> {
  const { done, value } = await from.next();
  return done ? undefined : value;
}

async function* sideBySide(
  ctx: Context,
): AsyncGenerator<{ id: string; known: Known | undefined; files: ListedFile[] }> {
  const rows = knownMedia(ctx);
  const folders = FOLDERS.map((folder) => mediumByMedium(ctx.storage.list(folder)));
  let row = await next(rows);
  const heads = await Promise.all(folders.map(next));
  for (;;) {
    const [id] = [row?.id, ...heads.map((head) => head?.id)].filter((one) => one !== undefined).sort();
    if (id === undefined) return;
    const files: ListedFile[] = [];
    for (const [index, folder] of folders.entries()) {
      const head = heads[index];
      if (head?.id !== id) continue;
      files.push(...head.files);
      heads[index] = await next(folder);
    }
    const known = row?.id === id ? row : undefined;
    if (known) row = await next(rows);
    yield { id, known, files };
  }
}

function isClaimed(known: Known | undefined, key: string, now: Date): boolean {
  if (!known?.row) return known !== undefined;
  return keysOf(known.row).includes(key) || (key === originalKey(known.id) && !isOver(known.row, now));
}

/** True if processing failed and the retention time of deleted media has passed. */
function isOver({ status, finished_at: at }: MediaRow, now: Date): boolean {
  return status === 'failed' && (at === null || now.getTime() - at.getTime() > REST_MS);
}

function promisedBy({ row }: Known, now: Date): string[] {
  const isArriving = row?.status === 'processing' && now.getTime() - row.created_at.getTime() < ARRIVING_MS;
  return row && !isArriving ? keysOf(row) : [];
}

async function lookUp({ db }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  const wanted = [...new Set(ids)].filter(isId);
  const known = new Map<string, Known>();
  for (const id of await deletedAmong(db, wanted)) known.set(id, { id, row: undefined });
  for (const row of await findMany(db, wanted)) known.set(row.id, { id: row.id, row });
  return known;
}

/** Checks the findings again, because rows changed while files were read. */
async function confirmed(ctx: Context, found: readonly Found[]): Promise<Found[]> {
  const known = await lookUp(
    ctx,
    found.map(({ id }) => id),
  );
  const still: Found[] = [];
  for (const one of found) {
    const now = known.get(one.id);
    const isSo =
      one.kind === 'orphan'
        ? !isClaimed(now, one.key, ctx.clock.now())
        : now?.row !== undefined && keysOf(now.row).includes(one.key) && !(await ctx.storage.open(one.key));
    if (isSo) still.push(one);
  }
  return still;
}

async function removeOrphans(ctx: Context, count: { files: number; orphan: number }, now: Date): Promise<number> {
  const before = new Date(now.getTime() - ORPHAN_MS);
  // Uses the total count, because only a part of many findings is stored.
  if (count.orphan > count.files * MOST_ORPHANED) {
    ctx.log.error(
      { files: count.files, orphans: count.orphan },
      'most files in the store belong to no medium: is it the right one? None is removed',
    );
    return 0;
  }
  let removed = 0;
  for (;;) {
    const keys = await findings.list(ctx.db, 'orphan', before, AT_ONCE);
    if (keys.length === 0) return removed;
    const orphans = await confirmed(
      ctx,
      keys.map((key) => ({ id: mediumOf(key), key, kind: 'orphan' })),
    );
    for (const { key } of orphans) await ctx.storage.remove(key);
    removed += orphans.length;
    await findings.forget(ctx.db, keys);
  }
}

async function report(ctx: Context, outcome: findings.Outcome): Promise<void> {
  const { startedAt: _, finishedAt: now, ...numbers } = outcome;
  if (outcome.missing === 0) ctx.log.info(numbers, 'media and the store agree');
  else
    ctx.log.error(
      { ...numbers, keys: await findings.list(ctx.db, 'missing', now, SAID) },
      'files that media rows name are not in the store',
    );
}

/** Stores at most `mostNoted` findings one by one. All are counted. */
export async function auditMedia(ctx: Context, mostNoted = MOST_NOTED): Promise<findings.Outcome> {
  const startedAt = ctx.clock.now();
  const count = { media: 0, files: 0, bytes: 0, missing: 0, orphan: 0 };
  let waiting: Found[] = [];
  const settle = async () => {
    const found = await confirmed(ctx, waiting);
    waiting = [];
    const room = mostNoted - count.missing - count.orphan;
    for (const { kind } of found) count[kind] += 1;
    if (room > 0 && found.length > 0) await findings.note(ctx.db, found.slice(0, room), startedAt);
  };
  for await (const { id, known, files } of sideBySide(ctx)) {
    if (known) count.media += 1;
    const there = new Set(files.map(({ key }) => key));
    count.files += files.length;
    count.bytes += files.reduce((sum, { byteSize }) => sum + byteSize, 0);
    for (const key of there) if (!isClaimed(known, key, startedAt)) waiting.push({ id, key, kind: 'orphan' });
    for (const key of known ? promisedBy(known, startedAt) : [])
      if (!there.has(key)) waiting.push({ id, key, kind: 'missing' });
    if (waiting.length >= AT_ONCE) await settle();
  }
  await settle();
  await findings.forgetBefore(ctx.db, startedAt);
  const removed = await removeOrphans(ctx, count, startedAt);
  const { orphan: orphans, ...rest } = count;
  const outcome = { ...rest, orphans, removed, startedAt, finishedAt: ctx.clock.now() };
  await findings.keepOutcome(ctx.db, outcome, new Date(startedAt.getTime() - OUTCOMES_KEPT_MS));
  await report(ctx, outcome);
  return outcome;
}

/** The audit runs in its own queue, because a large store takes long. */
export function registerAudit({ ctx, metrics }: Server): void {
  ctx.jobs.schedule('media.audit', '41 3 * * *', async () => void (await auditMedia(ctx)), 'media.audit');
  new Gauge({
    name: 'stagedoor_media_audit',
    help: 'What the latest audit of media against the store found; finished_seconds is when, as Unix time',
    labelNames: ['found'],
    registers: [metrics],
    async collect() {
      const outcome = await findings.latest(ctx.db);
      if (!outcome) return;
      const { finishedAt, startedAt: _, ...numbers } = outcome;
      for (const [found, value] of Object.entries(numbers)) this.set({ found }, value);
      this.set({ found: 'finished_seconds' }, finishedAt.getTime() / 1000);
    },
  });
}

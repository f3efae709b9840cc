/**
 * Compares media rows with the store every night. Missing files are reported, files without a row are deleted after
 * some days. Both are read in the order of ids, so that memory use does not grow.
 */

import { isId } from '@stagedoor/contract/shared/ids.ts';
import { Gauge } from 'prom-client';
import type { Context } from '../../../../platform/context.ts';
import type { ModuleHost } from '../../../../platform/http/routing.ts';
import type { ListedFile } from '../../../../platform/storage/storage.ts';
import { listFileKeys } from '../files.ts';
import { MEDIA_FOLDERS, originalKey, parseMediaId } from '../keys.ts';
import { listDeletedIds, listMediaByIds, type MediaRow } from '../store.ts';
import { DELETED_RETENTION_MS } from './deleted.ts';
import * as findings from './findings.ts';

const DAY_MS = 24 * 60 * 60_000;
/** This is longer than any file waits for its row. */
const ORPHAN_MS = 2 * DAY_MS;
/** A large upload may take this long from the machine that received it to the store. */
const ARRIVAL_MS = DAY_MS;
const OUTCOME_RETENTION_MS = 400 * DAY_MS;
const BATCH_SIZE = 500;
const MAX_STORED_FINDINGS = 20_000;
/** Above this share, the database or the store must be the wrong one. */
const MAX_ORPHAN_SHARE = 0.5;
const MAX_LOGGED_KEYS = 20;

/** An id without a row was deleted and is retained. */
type KnownMedia = { id: string; row: MediaRow | undefined };
type AuditFinding = { id: string; key: string; kind: findings.FindingKind };

async function* iterateKnownMedia({ db }: Context): AsyncGenerator<KnownMedia> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const ids = await findings.listKnownIds(db, after, BATCH_SIZE);
    const rows = new Map((await listMediaByIds(db, ids)).map((row) => [String(row.id), row]));
    for (const id of ids) yield { id, row: rows.get(id) };
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Throws if the store does not list files in order, because the comparison depends on it. */
async function* groupByMedia(files: AsyncIterable<ListedFile>): AsyncGenerator<{ id: string; files: ListedFile[] }> {
  let group: { id: string; files: ListedFile[] } | undefined;
  for await (const file of files) {
    const id = parseMediaId(file.key);
    if (group && id < group.id) throw new Error(`the store does not list its files in order: ${file.key}`);
    if (group?.id === id) group.files.push(file);
    else {
      if (group) yield group;
      group = { id, files: [file] };
    }
  }
  if (group) yield group;
}

async function takeNext<T>(from: AsyncGenerator<T>): Promise<T | undefined> {
  const { done, value } = await from.next();
  return done ? undefined : value;
}

async function* joinMediaWithFiles(
  ctx: Context,
): AsyncGenerator<{ id: string; known: KnownMedia | undefined; files: ListedFile[] }> {
  const rows = iterateKnownMedia(ctx);
  const folders = MEDIA_FOLDERS.map((folder) => groupByMedia(ctx.storage.list(folder)));
  let row = await takeNext(rows);
  const heads = await Promise.all(folders.map(takeNext));
  for (;;) {
    const [id] = [row?.id, ...heads.map((head) => head?.id)].filter((candidateId) => candidateId !== undefined).sort();
    if (id === undefined) return;
    const files: ListedFile[] = [];
    for (const [index, folder] of folders.entries()) {
      const head = heads[index];
      if (head?.id !== id) continue;
      files.push(...head.files);
      heads[index] = await takeNext(folder);
    }
    const known = row?.id === id ? row : undefined;
    if (known) row = await takeNext(rows);
    yield { id, known, files };
  }
}

function isReferenced(known: KnownMedia | undefined, key: string, now: Date): boolean {
  if (!known?.row) return known !== undefined;
  return listFileKeys(known.row).includes(key) || (key === originalKey(known.id) && !isRetentionOver(known.row, now));
}

/** True if processing failed and the retention time of deleted media has passed. */
function isRetentionOver({ status, finished_at: at }: MediaRow, now: Date): boolean {
  return status === 'failed' && (at === null || now.getTime() - at.getTime() > DELETED_RETENTION_MS);
}

function listExpectedKeys({ row }: KnownMedia, now: Date): string[] {
  const isArriving = row?.status === 'processing' && now.getTime() - row.created_at.getTime() < ARRIVAL_MS;
  return row && !isArriving ? listFileKeys(row) : [];
}

async function loadKnownMedia({ db }: Context, ids: readonly string[]): Promise<ReadonlyMap<string, KnownMedia>> {
  const validIds = [...new Set(ids)].filter(isId);
  const known = new Map<string, KnownMedia>();
  for (const id of await listDeletedIds(db, validIds)) known.set(id, { id, row: undefined });
  for (const row of await listMediaByIds(db, validIds)) known.set(row.id, { id: row.id, row });
  return known;
}

/** Checks the findings again, because rows changed while files were read. */
async function confirmFindings(ctx: Context, candidates: readonly AuditFinding[]): Promise<AuditFinding[]> {
  const known = await loadKnownMedia(
    ctx,
    candidates.map(({ id }) => id),
  );
  const confirmedFindings: AuditFinding[] = [];
  for (const finding of candidates) {
    const current = known.get(finding.id);
    const isConfirmed =
      finding.kind === 'orphan'
        ? !isReferenced(current, finding.key, ctx.clock.now())
        : current?.row !== undefined &&
          listFileKeys(current.row).includes(finding.key) &&
          !(await ctx.storage.open(finding.key));
    if (isConfirmed) confirmedFindings.push(finding);
  }
  return confirmedFindings;
}

async function removeOrphans(ctx: Context, count: { files: number; orphan: number }, now: Date): Promise<number> {
  const before = new Date(now.getTime() - ORPHAN_MS);
  // Uses the total count, because only a part of many findings is stored.
  if (count.orphan > count.files * MAX_ORPHAN_SHARE) {
    ctx.log.error(
      { files: count.files, orphans: count.orphan },
      'most files in the store belong to no medium: is it the right one? None is removed',
    );
    return 0;
  }
  let removed = 0;
  for (;;) {
    const keys = await findings.listFindings(ctx.db, 'orphan', before, BATCH_SIZE);
    if (keys.length === 0) return removed;
    const orphans = await confirmFindings(
      ctx,
      keys.map((key) => ({ id: parseMediaId(key), key, kind: 'orphan' })),
    );
    for (const { key } of orphans) await ctx.storage.remove(key);
    removed += orphans.length;
    await findings.deleteFindings(ctx.db, keys);
  }
}

async function logOutcome(ctx: Context, outcome: findings.AuditOutcome): Promise<void> {
  const { startedAt: _, finishedAt: now, ...numbers } = outcome;
  if (outcome.missing === 0) ctx.log.info(numbers, 'media and the store agree');
  else
    ctx.log.error(
      { ...numbers, keys: await findings.listFindings(ctx.db, 'missing', now, MAX_LOGGED_KEYS) },
      'files that media rows name are not in the store',
    );
}

/** Stores at most `maxStored` findings one by one. All are counted. */
export async function auditMedia(ctx: Context, maxStored = MAX_STORED_FINDINGS): Promise<findings.AuditOutcome> {
  const startedAt = ctx.clock.now();
  const count = { media: 0, files: 0, bytes: 0, missing: 0, orphan: 0 };
  let waiting: AuditFinding[] = [];
  const flush = async () => {
    const confirmedFindings = await confirmFindings(ctx, waiting);
    waiting = [];
    const remaining = maxStored - count.missing - count.orphan;
    for (const { kind } of confirmedFindings) count[kind] += 1;
    if (remaining > 0 && confirmedFindings.length > 0)
      await findings.saveFindings(ctx.db, confirmedFindings.slice(0, remaining), startedAt);
  };
  for await (const { id, known, files } of joinMediaWithFiles(ctx)) {
    if (known) count.media += 1;
    const storedKeys = new Set(files.map(({ key }) => key));
    count.files += files.length;
    count.bytes += files.reduce((sum, { byteSize }) => sum + byteSize, 0);
    for (const key of storedKeys) if (!isReferenced(known, key, startedAt)) waiting.push({ id, key, kind: 'orphan' });
    for (const key of known ? listExpectedKeys(known, startedAt) : [])
      if (!storedKeys.has(key)) waiting.push({ id, key, kind: 'missing' });
    if (waiting.length >= BATCH_SIZE) await flush();
  }
  await flush();
  await findings.deleteFindingsBefore(ctx.db, startedAt);
  const removed = await removeOrphans(ctx, count, startedAt);
  const { orphan: orphans, ...rest } = count;
  const outcome = { ...rest, orphans, removed, startedAt, finishedAt: ctx.clock.now() };
  await findings.saveOutcome(ctx.db, outcome, new Date(startedAt.getTime() - OUTCOME_RETENTION_MS));
  await logOutcome(ctx, outcome);
  return outcome;
}

/** The audit runs in its own queue, because a large store takes long. */
export function registerMediaAudit({ ctx, metrics }: ModuleHost): void {
  ctx.jobs.schedule('media.audit', '41 3 * * *', async () => void (await auditMedia(ctx)), 'media.audit');
  new Gauge({
    name: 'stagedoor_media_audit',
    help: 'What the latest audit of media against the store found; finished_seconds is when, as Unix time',
    labelNames: ['found'],
    registers: [metrics],
    async collect() {
      const outcome = await findings.findLatestOutcome(ctx.db);
      if (!outcome) return;
      const { finishedAt, startedAt: _, ...numbers } = outcome;
      for (const [found, value] of Object.entries(numbers)) this.set({ found }, value);
      this.set({ found: 'finished_seconds' }, finishedAt.getTime() / 1000);
    },
  });
}

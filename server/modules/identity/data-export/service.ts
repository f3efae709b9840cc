import {
  DATA_EXPORT_DAYS,
  DATA_EXPORT_INTERVAL_HOURS,
  type DataExport,
} from '@stagedoor/contract/identity/data-export.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { FileResponse } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { createId } from '../../../platform/ids.ts';
import { defineJob, type JobAttempt } from '../../../platform/jobs/jobs.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { deleteOrphanFiles } from '../../../platform/storage/orphan-files.ts';
import { findUser, reauthenticate } from '../accounts/index.ts';
import { createExportReadyMail } from './mails.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import { writeExport } from './zip-writer.ts';

const HOUR_MS = 60 * 60_000;
const UNLOCK_MS = 15 * 60_000;
const BATCH_SIZE = 100;

export const createExportJob = defineJob('dataExport.create', z.object({ userId: z.string(), id: z.string() }));
export const deleteExportFileJob = defineJob('dataExport.deleteFile', z.object({ id: z.string() }));

const FOLDER = 'data_exports';
const toStorageKey = (id: string) => `${FOLDER}/${id}.zip`;

function presentExport(row: store.DataExportRow | undefined, now: Date): DataExport | null {
  if (!row || (row.expiresAt && row.expiresAt <= now)) return null;
  const { requestedAt, readyAt, failedAt, byteSize, expiresAt } = row;
  return {
    state: readyAt ? 'ready' : failedAt ? 'failed' : 'processing',
    requestedAt: requestedAt.toISOString(),
    bytes: byteSize,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

export async function getExport(ctx: Context, { userId }: Actor): Promise<{ dataExport: DataExport | null }> {
  return { dataExport: presentExport(await store.findExport(ctx.db, userId), ctx.clock.now()) };
}

/**
 * Requests an export. One that is recent or being created is returned instead. One that was not finished within a day
 * is started again.
 */
export async function requestExport(ctx: Context, { userId }: Actor): Promise<{ dataExport: DataExport | null }> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const previous = await store.lockExport(tx, userId);
    const id = createId(ctx.clock);
    const freshSince = new Date(now.getTime() - DATA_EXPORT_INTERVAL_HOURS * HOUR_MS);
    if (await store.insertExport(tx, { userId, id, now, freshSince })) {
      await ctx.jobs.add(tx, createExportJob, { userId, id }, { key: `archive:${userId}` });
      if (previous) await ctx.jobs.add(tx, deleteExportFileJob, { id: previous.id });
    }
    return { dataExport: presentExport(await store.findExport(tx, userId), now) };
  });
}

/** Creates an export. Idempotent, also when run concurrently. An export that has replaced it stays. */
export async function createExport(
  ctx: Context,
  { userId, id }: { userId: string; id: string },
  { isLast, signal }: JobAttempt,
): Promise<void> {
  const row = await store.findExport(ctx.db, userId);
  const user = await findUser(ctx.db, userId);
  if (!user || row?.id !== id || row.readyAt !== null) return;
  try {
    const byteSize = await writeExport(ctx, user, toStorageKey(id), signal);
    const now = ctx.clock.now();
    const expiresAt = new Date(now.getTime() + DATA_EXPORT_DAYS * 24 * HOUR_MS);
    const isCurrent = await ctx.db.transaction(async (tx) => {
      if (!(await store.markExportReady(tx, { userId, id, now, byteSize, expiresAt }))) return false;
      await ctx.mailer.send(tx, createExportReadyMail(user, ctx.config.publicUrl, expiresAt));
      await tx.emit('dataExport.ready', { userId, exportId: id });
      return true;
    });
    const currentRow = isCurrent ? undefined : await store.findExport(ctx.db, userId);
    if (!isCurrent && currentRow?.id !== id) await ctx.storage.remove(toStorageKey(id));
  } catch (error) {
    if (isLast && !signal?.aborted) await store.markExportFailed(ctx.db, userId, id, ctx.clock.now());
    throw error;
  }
}

export const deleteExportFile = (ctx: Context, id: string) => ctx.storage.remove(toStorageKey(id));

/** Allows this session to download for a while. Throws NOT_FOUND, and as reauthenticate. */
export async function unlockExport(
  ctx: Context,
  actor: Actor,
  reauthentication: { currentPassword: string; code?: string | undefined },
): Promise<{ until: string }> {
  const confirmReauthentication = await reauthenticate(ctx, actor, reauthentication);
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + UNLOCK_MS);
  await ctx.db.transaction(async (tx) => {
    await confirmReauthentication(tx);
    if (presentExport(await store.lockExport(tx, actor.userId), now)?.state !== 'ready')
      throw new AppError('NOT_FOUND');
    await store.markExportUnlocked(tx, actor.userId, actor.sessionId, until);
  });
  return { until: until.toISOString() };
}

/** Throws NOT_FOUND, FORBIDDEN unless this session was allowed to download. */
export async function downloadExport(ctx: Context, { userId, sessionId }: Actor): Promise<FileResponse> {
  const now = ctx.clock.now();
  const row = await store.findExport(ctx.db, userId);
  if (!row || presentExport(row, now)?.state !== 'ready') throw new AppError('NOT_FOUND');
  if (row.unlockedBy !== sessionId || !row.unlockedUntil || row.unlockedUntil <= now)
    throw new AppError('FORBIDDEN', { message: texts.enterPasswordAgain });
  const file = await ctx.storage.open(toStorageKey(row.id));
  if (!file) throw new AppError('NOT_FOUND');
  const day = row.requestedAt.toISOString().slice(0, 10);
  return {
    name: `stagedoor-archive-${day}.zip`,
    type: 'application/zip',
    bytes: file.byteSize,
    body: await file.stream(),
  };
}

export async function purgeExpiredExports(ctx: Context): Promise<void> {
  let deletedCount: number;
  do {
    deletedCount = await ctx.db.transaction(async (tx) => {
      const rows = await store.deleteExpired(tx, ctx.clock.now(), BATCH_SIZE);
      for (const { id } of rows) await ctx.jobs.add(tx, deleteExportFileJob, { id });
      return rows.length;
    });
  } while (deletedCount === BATCH_SIZE);
}

/** Deletes the files of a process that crashed or whose export was replaced. Returns how many. */
export const deleteOrphanExports = (ctx: Pick<Context, 'clock' | 'db' | 'log' | 'storage'>): Promise<number> =>
  deleteOrphanFiles(ctx, FOLDER, async (keys) => {
    const ids = new Map(keys.map((key) => [key, key.slice(FOLDER.length + 1).split('.')[0] ?? '']));
    const known = await store.findKnownExports(ctx.db, [...new Set(ids.values())].filter(isId));
    const inProgressById = new Map(known.map(({ id, isInProgress }) => [id, isInProgress]));
    const isKnownFile = (key: string, id: string) =>
      inProgressById.has(id) && (key === toStorageKey(id) || inProgressById.get(id) === true);
    return new Set([...ids].filter(([key, id]) => isKnownFile(key, id)).map(([key]) => key));
  });

export async function deleteExport(ctx: Context, tx: DbTransaction, userId: string): Promise<void> {
  for (const { id } of await store.deleteExportRow(tx, userId)) await ctx.jobs.add(tx, deleteExportFileJob, { id });
}

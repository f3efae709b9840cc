import { ARCHIVE_DAYS, ARCHIVE_FRESH_HOURS, type Archive } from '@stagedoor/contract/archive.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { FileAnswer } from '@stagedoor/contract/atoms/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { type Attempt, job } from '../../kernel/jobs.ts';
import { removeLeft } from '../../kernel/left-files.ts';
import type { Actor } from '../../kernel/session.ts';
import { findUser, proveAgain } from '../accounts/index.ts';
import { readyMail } from './mails.ts';
import * as store from './store.ts';
import { writeArchive } from './write.ts';

const HOUR_MS = 60 * 60_000;
const OPEN_MS = 15 * 60_000;
const AT_ONCE = 100;

export const makeJob = job('archive.make', z.object({ userId: z.string(), id: z.string() }));
export const removeJob = job('archive.remove', z.object({ id: z.string() }));

const FOLDER = 'archives';
const keyOf = (id: string) => `${FOLDER}/${id}.zip`;

function present(row: store.ArchiveRow | undefined, now: Date): Archive | null {
  if (!row || (row.expiresAt && row.expiresAt <= now)) return null;
  const { askedAt, readyAt, failedAt, byteSize, expiresAt } = row;
  return {
    state: readyAt ? 'ready' : failedAt ? 'failed' : 'making',
    askedAt: askedAt.toISOString(),
    bytes: byteSize,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

export async function viewArchive(ctx: Context, { userId }: Actor): Promise<{ archive: Archive | null }> {
  return { archive: present(await store.findArchive(ctx.db, userId), ctx.clock.now()) };
}

/**
 * Requests an export. One that is recent or being created is returned instead. One that was not finished within a day
 * is started again.
 */
export async function ask(ctx: Context, { userId }: Actor): Promise<{ archive: Archive | null }> {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const before = await store.lockArchive(tx, userId);
    const id = newId(ctx.clock);
    const freshSince = new Date(now.getTime() - ARCHIVE_FRESH_HOURS * HOUR_MS);
    if (await store.insertArchive(tx, { userId, id, now, freshSince })) {
      await ctx.jobs.add(tx, makeJob, { userId, id }, { key: `archive:${userId}` });
      if (before) await ctx.jobs.add(tx, removeJob, { id: before.id });
    }
    return { archive: present(await store.findArchive(tx, userId), now) };
  });
}

/** Creates an export. Idempotent, also when run concurrently. An export that has replaced it stays. */
export async function make(
  ctx: Context,
  { userId, id }: { userId: string; id: string },
  { isLast, signal }: Attempt,
): Promise<void> {
  const row = await store.findArchive(ctx.db, userId);
  const user = await findUser(ctx.db, userId);
  if (!user || row?.id !== id || row.readyAt !== null) return;
  try {
    const byteSize = await writeArchive(ctx, user, keyOf(id), signal);
    const now = ctx.clock.now();
    const expiresAt = new Date(now.getTime() + ARCHIVE_DAYS * 24 * HOUR_MS);
    const isMine = await ctx.db.transaction(async (tx) => {
      if (!(await store.markReady(tx, { userId, id, now, byteSize, expiresAt }))) return false;
      await ctx.mailer.send(tx, readyMail(user, ctx.config.publicUrl, expiresAt));
      await tx.emit('archive.ready', { userId, archiveId: id });
      return true;
    });
    const present = isMine ? undefined : await store.findArchive(ctx.db, userId);
    if (!isMine && present?.id !== id) await ctx.storage.remove(keyOf(id));
  } catch (error) {
    if (isLast && !signal?.aborted) await store.markFailed(ctx.db, userId, id, ctx.clock.now());
    throw error;
  }
}

export const remove = (ctx: Context, id: string) => ctx.storage.remove(keyOf(id));

/** Allows this session to download for a while. Throws NOT_FOUND, and as proveAgain. */
export async function open(
  ctx: Context,
  actor: Actor,
  proof: { currentPassword: string; code?: string | undefined },
): Promise<{ until: string }> {
  const prove = await proveAgain(ctx, actor, proof);
  const now = ctx.clock.now();
  const until = new Date(now.getTime() + OPEN_MS);
  await ctx.db.transaction(async (tx) => {
    await prove(tx);
    if (present(await store.lockArchive(tx, actor.userId), now)?.state !== 'ready') throw new AppError('NOT_FOUND');
    await store.markOpened(tx, actor.userId, actor.sessionId, until);
  });
  return { until: until.toISOString() };
}

/** Throws NOT_FOUND, FORBIDDEN unless this session was allowed to download. */
export async function download(ctx: Context, { userId, sessionId }: Actor): Promise<FileAnswer> {
  const now = ctx.clock.now();
  const row = await store.findArchive(ctx.db, userId);
  if (!row || present(row, now)?.state !== 'ready') throw new AppError('NOT_FOUND');
  if (row.openedBy !== sessionId || !row.openedUntil || row.openedUntil <= now)
    throw new AppError('FORBIDDEN', { message: 'Enter your password again.' });
  const file = await ctx.storage.open(keyOf(row.id));
  if (!file) throw new AppError('NOT_FOUND');
  const day = row.askedAt.toISOString().slice(0, 10);
  return {
    name: `stagedoor-archive-${day}.zip`,
    type: 'application/zip',
    bytes: file.byteSize,
    body: await file.stream(),
  };
}

export async function expire(ctx: Context): Promise<void> {
  let taken: number;
  do {
    taken = await ctx.db.transaction(async (tx) => {
      const rows = await store.takeExpired(tx, ctx.clock.now(), AT_ONCE);
      for (const { id } of rows) await ctx.jobs.add(tx, removeJob, { id });
      return rows.length;
    });
  } while (taken === AT_ONCE);
}

/** Deletes the files of a process that crashed or whose export was replaced. Returns how many. */
export const removeLeftArchives = (ctx: Pick<Context, 'clock' | 'db' | 'log' | 'storage'>): Promise<number> =>
  removeLeft(ctx, FOLDER, async (keys) => {
    const ids = new Map(keys.map((key) => [key, key.slice(FOLDER.length + 1).split('.')[0] ?? '']));
    const wanted = await store.findWanted(ctx.db, [...new Set(ids.values())].filter(isId));
    const making = new Map(wanted.map(({ id, isMaking }) => [id, isMaking]));
    const isNamed = (key: string, id: string) => making.has(id) && (key === keyOf(id) || making.get(id) === true);
    return new Set([...ids].filter(([key, id]) => isNamed(key, id)).map(([key]) => key));
  });

export async function forgetArchive(ctx: Context, tx: Transaction, userId: string): Promise<void> {
  for (const { id } of await store.forgetArchive(tx, userId)) await ctx.jobs.add(tx, removeJob, { id });
}

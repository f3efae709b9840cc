/** Share pictures are made on first request and cached until their content changes. */

import type { OgImageKind } from '@stagedoor/contract/content/og-images.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { createConcurrencyLimit } from '../../../platform/limits/concurrency-limit.ts';
import { loadOgImageDetails, type OgImageDetails } from './og-image-details.ts';
import * as texts from './texts.ts';

const drawingLimit = createConcurrencyLimit({
  max: 1,
  maxWaiting: 40,
  createError: () =>
    new AppError('UNAVAILABLE', {
      message: texts.busyTryAgain,
      retryAfterSeconds: 5,
    }),
});

type OgImageRef = { kind: OgImageKind; subjectId: string; version: string };
export const toOgImageKey = ({ kind, subjectId, version }: OgImageRef) =>
  `public/s/${kind}/${subjectId}/${version}.jpg`;

const SAVE: SqlStatement = {
  name: 'og-images-save',
  text: `insert into og_images (kind, subject_id, creator_id, version, made_at) values ($1, $2, $3, $4, clock_timestamp())
    on conflict (kind, subject_id) do update set version = excluded.version, made_at = excluded.made_at
    returning old.version as former`,
};
const DELETE: SqlStatement = {
  name: 'og-images-delete',
  text: `delete from og_images where creator_id = $1 and ($2::uuid is null or subject_id = $2) and ($3::timestamptz is null or made_at <= $3)
    returning kind, subject_id as "subjectId", version`,
};

const inProgress = new Map<string, Promise<void>>();

async function createOgImage(ctx: Context, ref: OgImageRef, details: OgImageDetails): Promise<void> {
  const content = await drawingLimit.run(async () => (await import('./draw-og-image.ts')).drawOgImage(ctx, details));
  const save = () =>
    ctx.db.run<{ former: string | null }>(SAVE, [ref.kind, ref.subjectId, details.creatorId, ref.version]);
  // Recorded before the file exists, so that the file is known however this process ends.
  const [row] = await save();
  if (row?.former && row.former !== ref.version)
    await ctx.storage.remove(toOgImageKey({ ...ref, version: row.former }));
  await ctx.storage.put(toOgImageKey(ref), content, 'image/jpeg');
  // Recorded again, because an invalidation in between found no file.
  await save();
  await loadOgImageDetails(ctx, ref.kind, ref.subjectId).catch(async (error: unknown) => {
    await ctx.storage.remove(toOgImageKey(ref));
    await deleteOgImages(ctx, details.creatorId, ref.kind === 'post' ? ref.subjectId : null, null);
    throw error;
  });
}

/**
 * Returns the current path if another version was requested.
 * Throws NOT_FOUND if a visitor may not see the content, UNAVAILABLE when too many requests wait.
 */
export async function findOgImage(
  ctx: Context,
  kind: OgImageKind,
  id: string,
  requestedVersion: string,
): Promise<{ key: string } | { path: string }> {
  const { details, version, subjectId, path } = await loadOgImageDetails(ctx, kind, id);
  if (version !== requestedVersion || subjectId !== id) return { path };
  const ref = { kind, subjectId, version };
  const key = toOgImageKey(ref);
  if (await ctx.storage.open(key)) return { key };
  const creation = inProgress.get(key) ?? createOgImage(ctx, ref, details).finally(() => inProgress.delete(key));
  inProgress.set(key, creation);
  await creation;
  return { key };
}

/** After a change only pictures made before it are deleted, because the event arrives later. */
export async function deleteOgImages(
  ctx: Context,
  creatorId: string,
  postId: string | null,
  changedAt: Date | null,
): Promise<void> {
  for (const ref of await ctx.db.run<OgImageRef>(DELETE, [creatorId, postId, changedAt]))
    await ctx.storage.remove(toOgImageKey(ref));
}

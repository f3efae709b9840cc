/** Files are written under new names before the row refers to them. */
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../../platform/context.ts';
import { cropPicture, findTools, withWorkFolder } from '../../media-processing/index.ts';
import { deleteSerialFiles, listPictureKeys } from '../files.ts';
import { writeVariants } from '../jobs/picture-jobs.ts';
import { allocateSerial, setPicture } from '../jobs/processing-state.ts';
import { extractStoredFrame } from '../jobs/video/excerpt.ts';
import { type PictureForm, pictureLimit, toPictureRefusal } from '../profile-pictures.ts';
import type { MediaRow } from '../store.ts';
import * as texts from '../texts.ts';
import { requireReadyStream } from './caption-tracks.ts';
import * as store from './store.ts';

async function replacePoster(ctx: Context, row: MediaRow, picture: Buffer, second: number | null): Promise<void> {
  const serial = await allocateSerial(ctx.db, row.id);
  if (serial === undefined) throw new AppError('NOT_FOUND');
  let canBeReferenced = false;
  try {
    const variants = await writeVariants(ctx, row.id, picture, { serial });
    canBeReferenced = true;
    const before = await ctx.db.transaction(async (tx) => {
      const locked = await store.lockMedia(tx, row.id);
      if (!locked) throw new AppError('NOT_FOUND');
      // A concurrent request has already set a newer picture.
      if (locked.picture_serial > serial) return undefined;
      await setPicture(tx, row.id, { variants, second, shouldSetSize: row.kind === 'audio' });
      await tx.emit('media.updated', { mediaId: row.id });
      return locked;
    });
    canBeReferenced = before !== undefined;
    for (const key of before ? listPictureKeys(before) : []) await ctx.storage.remove(key);
  } finally {
    if (!canBeReferenced) await deleteSerialFiles(ctx, row.id, serial);
  }
}

/** Throws CONFLICT if it is not a video or not ready, VALIDATION if there is no frame, UNAVAILABLE. */
export async function setPosterFromFrame(ctx: Context, row: MediaRow, second: number): Promise<void> {
  requireReadyStream(row);
  if (row.kind !== 'video') throw new AppError('CONFLICT', { message: texts.noVideoTrack });
  if (second > (row.duration_seconds ?? 0)) throw createFieldError('posterSecond', texts.posterTimeOutOfRange);
  const tools = await findTools(ctx.config);
  if (!tools) throw new AppError('UNAVAILABLE', { message: texts.videoProcessingUnavailable });
  await pictureLimit.run(() =>
    withWorkFolder(ctx.config.dataDir, async (dir) => {
      const frame = await extractStoredFrame(ctx.storage, { tools, dir }, row, second);
      if (!frame) throw createFieldError('posterSecond', texts.noFrameAtThisTime);
      await replacePoster(ctx, row, frame, second);
    }),
  );
}

/** Throws UNSUPPORTED_TYPE, CONFLICT, VALIDATION. */
export async function setPosterFromUpload(ctx: Context, row: MediaRow, { file }: PictureForm): Promise<void> {
  requireReadyStream(row);
  if (!file) throw createFieldError('file', texts.chooseAnImage);
  await pictureLimit.run(async () => {
    try {
      const size = row.kind === 'video' ? { width: row.width ?? 0, height: row.height ?? 0 } : undefined;
      await replacePoster(ctx, row, size ? await cropPicture(file, size) : file, null);
    } catch (error) {
      throw toPictureRefusal(error);
    }
  });
}

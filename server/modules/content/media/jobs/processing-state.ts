/** Each step returns whether it still applied. */
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import type { CaptionMetadata, MediaKind, MediaStatus, SourceMetadata, Stage, StreamMetadata } from '../store.ts';

/** Uploading or processing → failed. */
export async function markFailed(db: Executor, id: string, failure: string, at: Date): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({ status: 'failed', failure, stage: 'done', progress: 0, finished_at: at })
    .where('id', '=', id)
    .where('status', 'in', ['uploading', 'processing'])
    .returning('id')
    .execute();
  return rows.length > 0;
}

/** Ready → failed, unless it is in use. Keeps its files. */
export async function markWithdrawn(db: Executor, id: string, failure: string, at: Date): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({ status: 'failed', failure, stage: 'done', progress: 0, finished_at: at })
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .where('used_at', 'is', null)
    .returning('id')
    .execute();
  return rows.length > 0;
}

export type PictureVariants = {
  serial: number;
  width: number;
  height: number;
  webpWidths: number[];
  jpegWidth: number;
  thumbhash: string;
  previewThumbhash: string;
  previewHeight: number;
};

function toPictureColumns(variants: PictureVariants) {
  return {
    picture_serial: variants.serial,
    webp_widths: variants.webpWidths,
    jpeg_width: variants.jpegWidth,
    thumbhash: variants.thumbhash,
    preview_thumbhash: variants.previewThumbhash,
    preview_height: variants.previewHeight,
  };
}

/** Processing → ready. */
export async function markReady(db: Executor, id: string, variants: PictureVariants, at: Date): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({
      ...toPictureColumns(variants),
      status: 'ready',
      stage: 'improving',
      progress: 0,
      width: variants.width,
      height: variants.height,
      finished_at: at,
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning('id')
    .execute();
  return rows.length > 0;
}

export type PlayableMedia = {
  kind: 'video' | 'audio';
  width: number;
  height: number;
  seconds: number;
  poster: PictureVariants;
  posterSecond: number | null;
  stream: StreamMetadata;
  source: SourceMetadata;
};

/** Processing → ready for a video or audio. */
export async function markPlayable(db: Executor, id: string, variants: PlayableMedia, at: Date): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set({
      ...toPictureColumns(variants.poster),
      kind: variants.kind,
      status: 'ready',
      stage: 'improving',
      progress: 0,
      width: variants.width,
      height: variants.height,
      duration_seconds: variants.seconds,
      poster_second: variants.posterSecond,
      stream: JSON.stringify(variants.stream),
      source: JSON.stringify(variants.source),
      finished_at: at,
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning('id')
    .execute();
  return rows.length > 0;
}

const SET_STREAM: SqlStatement = {
  name: 'media-set-stream',
  text: `update media set stream = stream || $2::jsonb, source = source || $3::jsonb,
    duration_seconds = coalesce(($3::jsonb->>'seconds')::float8, duration_seconds) where id = $1 and status = 'ready' returning id`,
};

/** The duration comes from `source`. */
export async function updateStream(
  db: Executor,
  id: string,
  stream: Partial<StreamMetadata>,
  source: Partial<SourceMetadata> = {},
): Promise<boolean> {
  return (await db.run(SET_STREAM, [id, JSON.stringify(stream), JSON.stringify(source)])).length > 0;
}

const SET_STAGE: SqlStatement = {
  name: 'media-set-stage',
  text: `update media set stage = $2, progress = $3 where id = $1 and status = $4 returning id`,
};

export async function setStage(
  db: Executor,
  { id, status }: { id: string; status: MediaStatus },
  stage: Stage,
  progress: number,
): Promise<boolean> {
  return (await db.run(SET_STAGE, [id, stage, progress, status])).length > 0;
}

export async function setSource(db: Executor, id: string, kind: MediaKind, source: SourceMetadata): Promise<void> {
  await db.query
    .updateTable('media')
    .set({ kind, source: JSON.stringify(source) })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
}

const SET_AVIF: SqlStatement = {
  name: 'media-set-avif',
  text: `update media set avif_widths = $2, avif_serial = $3, stage = 'done', progress = 1
    where id = $1 and status = 'ready' and avif_widths = '{}' returning id`,
};

export async function setAvif(db: Executor, id: string, widths: number[], serial: number): Promise<boolean> {
  return (await db.run(SET_AVIF, [id, widths, serial])).length > 0;
}

const NEXT_SERIAL: SqlStatement = {
  name: 'media-next-serial',
  text: 'update media set serial = serial + 1 where id = $1 returning serial',
};

/** No other writer gets the same serial. Returns undefined if the medium is gone. */
export async function allocateSerial(db: Executor, id: string): Promise<number | undefined> {
  return (await db.run<{ serial: number }>(NEXT_SERIAL, [id]))[0]?.serial;
}

export async function setPicture(
  db: Executor,
  id: string,
  { variants, second, shouldSetSize }: { variants: PictureVariants; second: number | null; shouldSetSize: boolean },
): Promise<void> {
  await db.query
    .updateTable('media')
    .set({
      ...toPictureColumns(variants),
      ...(shouldSetSize ? { width: variants.width, height: variants.height } : {}),
      avif_widths: [],
      poster_second: second,
    })
    .where('id', '=', id)
    .execute();
}

/** Applies only if the video still shows the picture with the serial `previousSerial`. */
export async function replacePictureIfUnchanged(
  db: Executor,
  id: string,
  variants: PictureVariants,
  previousSerial: number,
): Promise<boolean> {
  const rows = await db.query
    .updateTable('media')
    .set(toPictureColumns(variants))
    .where('id', '=', id)
    .where('picture_serial', '=', previousSerial)
    .returning('id')
    .execute();
  return rows.length > 0;
}

export async function setCaptions(db: Executor, id: string, captions: readonly CaptionMetadata[]): Promise<void> {
  await db.query
    .updateTable('media')
    .set({ captions: JSON.stringify(captions) })
    .where('id', '=', id)
    .execute();
}

const LOCK_TEASER: SqlStatement = {
  name: 'media-lock-teaser',
  text: `select teaser_start, teaser_end, teaser_serial, serial from media where id = $1 and status = 'ready' for no key update`,
};
type TeaserRow = { teaser_start: number | null; teaser_end: number | null; teaser_serial: number; serial: number };

/** Returns the serial of the previous teaser, 0 for none, or undefined if its owner has changed it since. */
export async function setTeaserFile(
  tx: DbTransaction,
  id: string,
  { start, end, serial }: { start: number; end: number; serial: number },
): Promise<number | undefined> {
  const [row] = await tx.run<TeaserRow>(LOCK_TEASER, [id]);
  if (row?.teaser_start !== start || row.teaser_end !== end) return undefined;
  await tx.query
    .updateTable('media')
    .set({ teaser_serial: serial, teaser_seconds: end - start })
    .where('id', '=', id)
    .execute();
  return row.teaser_serial;
}

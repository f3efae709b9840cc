/** Files of taken-down media are left out of the data export. */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql, beforeIdSql } from '../../../platform/database/pagination.ts';
import { ExportFileLink, iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import { pictureFile, toRenditionPath, variantKey } from './keys.ts';
import { isWatermarked } from './library/store.ts';
import { MEDIA_COLUMNS, type MediaRow } from './store.ts';
import * as texts from './texts.ts';

type Row = MediaRow & { taken_down_at: Date | null };

const PAGE: SqlStatement = {
  name: 'media-export',
  text: `select ${MEDIA_COLUMNS}, taken_down_at from media where owner_id = $1 and status = 'ready' and ${beforeIdSql('id', '$2')} order by id desc limit $3`,
};

const iterateRows = ({ db }: Pick<Context, 'db'>, ownerId: string) =>
  iteratePages<Row>((last, size) => db.run<Row>(PAGE, [ownerId, last?.id ?? null, size]));

function findBestFile(row: MediaRow): string | undefined {
  const { stream, source } = row;
  if (row.kind !== 'picture') {
    const [rendition] = (source?.renditions ?? []).toSorted((a, b) => b.height - a.height);
    const file = stream?.file ?? (rendition && toRenditionPath(rendition, 'mp4'));
    if (file) return file;
  }
  const width = row.webp_widths.at(-1);
  if (width !== undefined) return pictureFile(row.picture_serial, `${width}.webp`);
  return row.jpeg_width === null ? undefined : pictureFile(row.picture_serial, `${row.jpeg_width}.jpg`);
}

type WatchedMedia = { mediaId: string };
const WATCHED: SqlStatement = {
  name: 'media-export-watched',
  text: `select p.media_id as "mediaId", u.username as creator, p.seconds, p.updated_at as at
    from media_positions p left join media m on m.id = p.media_id left join users u on u.id = m.owner_id
    where p.user_id = $1 and ${afterIdSql('p.media_id', '$2')} order by p.media_id limit $3`,
};

const getExtension = (file: string) => file.slice(file.lastIndexOf('.') + 1);

function findExportPath(row: Row): string | undefined {
  const file = row.taken_down_at === null ? findBestFile(row) : undefined;
  return file && `media/${row.id}.${getExtension(file)}`;
}

export function registerMediaExportPart(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'media-settings',
    title: 'Watermark',
    description: texts.watermarkExportHint,
    entries: async function* ({ db }, { id, type }) {
      if (type === 'creator') yield { isWatermarked: await isWatermarked(db, id) };
    },
  });
  registerExportPart(ctx, {
    name: 'watched',
    title: texts.watchHistory,
    description: 'Where you left off in videos and audio.',
    entries: ({ db }, { id }) =>
      iteratePages<WatchedMedia>((last, size) => db.run<WatchedMedia>(WATCHED, [id, last?.mediaId ?? null, size])),
  });
  registerExportPart(ctx, {
    name: 'media',
    title: 'Media',
    description: texts.mediaExportHint,
    entries: async function* (from, { id }) {
      for await (const row of iterateRows(from, id)) {
        const path = findExportPath(row);
        const file = path === undefined ? null : new ExportFileLink(path);
        yield {
          ...{ id: row.id, kind: row.kind, file, fileName: row.file_name, title: row.title, tags: row.tags },
          ...{ width: row.width, height: row.height, durationSeconds: row.duration_seconds, createdAt: row.created_at },
        };
      }
    },
    files: async function* (from, { id }) {
      for await (const row of iterateRows(from, id)) {
        const [file, path] = [findBestFile(row), findExportPath(row)];
        if (file && path) yield { path, key: variantKey(row.id, file) };
      }
    },
  });
}

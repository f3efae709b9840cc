/** Files of taken-down media are left out of the data export. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { afterId, beforeId } from '../../kernel/offset.ts';
import { InArchive, inPages, registerArchivePart } from '../archive/index.ts';
import { pictureFile, rungFile, variantKey } from './keys.ts';
import { isWatermarked } from './library/store.ts';
import { COLUMNS, type MediaRow } from './store.ts';

type Row = MediaRow & { withheld_at: Date | null };

const PAGE: Statement = {
  name: 'media-archive',
  text: `select ${COLUMNS}, withheld_at from media where owner_id = $1 and status = 'ready' and ${beforeId('id', '$2')} order by id desc limit $3`,
};

const rowsOf = ({ db }: Pick<Context, 'db'>, ownerId: string) =>
  inPages<Row>((last, size) => db.run<Row>(PAGE, [ownerId, last?.id ?? null, size]));

function bestFile(row: MediaRow): string | undefined {
  const { stream, source } = row;
  if (row.kind !== 'picture') {
    const [rung] = (source?.rungs ?? []).toSorted((a, b) => b.height - a.height);
    const file = stream?.file ?? (rung && rungFile(rung, 'mp4'));
    if (file) return file;
  }
  const width = row.webp_widths.at(-1);
  if (width !== undefined) return pictureFile(row.picture_serial, `${width}.webp`);
  return row.jpeg_width === null ? undefined : pictureFile(row.picture_serial, `${row.jpeg_width}.jpg`);
}

type Watched = { mediaId: string };
const WATCHED: Statement = {
  name: 'media-archive-watched',
  text: `select p.media_id as "mediaId", u.username as creator, p.seconds, p.updated_at as at
    from media_positions p left join media m on m.id = p.media_id left join users u on u.id = m.owner_id
    where p.user_id = $1 and ${afterId('p.media_id', '$2')} order by p.media_id limit $3`,
};

const endingOf = (file: string) => file.slice(file.lastIndexOf('.') + 1);

function pathOf(row: Row): string | undefined {
  const file = row.withheld_at === null ? bestFile(row) : undefined;
  return file && `media/${row.id}.${endingOf(file)}`;
}

export function registerMediaPart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'media-settings',
    title: 'Watermark',
    lead: 'Whether your photos carry the viewer’s name.',
    entries: async function* ({ db }, { id, type }) {
      if (type === 'creator') yield { isWatermarked: await isWatermarked(db, id) };
    },
  });
  registerArchivePart(ctx, {
    name: 'watched',
    title: 'Watch history',
    lead: 'Where you left off in videos and audio.',
    entries: ({ db }, { id }) =>
      inPages<Watched>((last, size) => db.run<Watched>(WATCHED, [id, last?.mediaId ?? null, size])),
  });
  registerArchivePart(ctx, {
    name: 'media',
    title: 'Media',
    lead: 'Your uploads, each in the largest size we keep.',
    entries: async function* (from, { id }) {
      for await (const row of rowsOf(from, id)) {
        const path = pathOf(row);
        const file = path === undefined ? null : new InArchive(path);
        yield {
          ...{ id: row.id, kind: row.kind, file, fileName: row.file_name, title: row.title, tags: row.tags },
          ...{ width: row.width, height: row.height, durationSeconds: row.duration_seconds, createdAt: row.created_at },
        };
      }
    },
    files: async function* (from, { id }) {
      for await (const row of rowsOf(from, id)) {
        const [file, path] = [bestFile(row), pathOf(row)];
        if (file && path) yield { path, key: variantKey(row.id, file) };
      }
    },
  });
}

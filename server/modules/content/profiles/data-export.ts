import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { ExportFileLink, registerExportPart } from '../../identity/data-export/index.ts';
import { getProfilePictureKey } from '../media/index.ts';
import { readEmbedSettings } from './embeds.ts';
import * as texts from './texts.ts';

const PROFILE: SqlStatement = {
  name: 'profiles-export',
  text: `select craft, city, bio, category, links, custom_links as "customLinks", layout, shape, format, follower_count as followers, post_count as posts, view_count as views,
    is_verified as "isVerified" from creators where user_id = $1`,
};

const PICTURES: SqlStatement = {
  name: 'profiles-export-pictures',
  text: `select u.avatar_key as avatar, c.cover_key as cover, c.cover_width as width from users u left join creators c on c.user_id = u.id where u.id = $1`,
};
type ProfilePictureRow = { avatar: string | null; cover: string | null; width: number | null };

async function listProfilePictures(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<{ picture: string; file: string; key: string }[]> {
  const [row] = await db.run<ProfilePictureRow>(PICTURES, [id]);
  const toEntries = (picture: string, stored: { key: string; width?: number }) => [
    { picture, file: `media/${picture}.webp`, key: getProfilePictureKey(stored) },
  ];
  return [
    ...(row?.avatar ? toEntries('avatar', { key: row.avatar }) : []),
    ...(row?.cover && row.width !== null ? toEntries('cover', { key: row.cover, width: row.width }) : []),
  ];
}

export function registerProfileExportParts(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'portraits',
    title: texts.profileAndCoverPhoto,
    description: texts.profilePhotosExportDescription,
    entries: async function* (ctx, { id }) {
      for (const { picture, file } of await listProfilePictures(ctx, id))
        yield { picture, file: new ExportFileLink(file) };
    },
    files: async function* (ctx, { id }) {
      for (const { file: path, key } of await listProfilePictures(ctx, id)) yield { path, key };
    },
  });
  registerExportPart(ctx, {
    name: 'profile',
    title: 'Profile',
    description: texts.profileExportDescription,
    entries: async function* ({ db }, { id }) {
      for (const profile of await db.run<{ bio: string }>(PROFILE, [id]))
        yield { ...profile, frames: await readEmbedSettings({ db }, id) };
    },
  });
}

import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { InArchive, registerArchivePart } from '../archive/index.ts';
import { portraitKey } from '../media/index.ts';
import { viewEmbeds } from './embeds.ts';

const PROFILE: Statement = {
  name: 'profiles-archive',
  text: `select craft, city, bio, category, links, own_links as "ownLinks", layout, shape, format, follower_count as followers, post_count as posts, view_count as views,
    is_verified as "isVerified" from creators where user_id = $1`,
};

const PORTRAITS: Statement = {
  name: 'profiles-archive-portraits',
  text: `select u.avatar_key as avatar, c.cover_key as cover, c.cover_width as width from users u left join creators c on c.user_id = u.id where u.id = $1`,
};
type Portraits = { avatar: string | null; cover: string | null; width: number | null };

async function portraitsOf(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<{ picture: string; file: string; key: string }[]> {
  const [row] = await db.run<Portraits>(PORTRAITS, [id]);
  const of = (picture: string, portrait: { key: string; width?: number }) => [
    { picture, file: `media/${picture}.webp`, key: portraitKey(portrait) },
  ];
  return [
    ...(row?.avatar ? of('avatar', { key: row.avatar }) : []),
    ...(row?.cover && row.width !== null ? of('cover', { key: row.cover, width: row.width }) : []),
  ];
}

export function registerProfilePart(ctx: Context): void {
  registerArchivePart(ctx, {
    name: 'portraits',
    title: 'Profile and cover photo',
    lead: 'The largest versions we store.',
    entries: async function* (from, { id }) {
      for (const { picture, file } of await portraitsOf(from, id)) yield { picture, file: new InArchive(file) };
    },
    files: async function* (from, { id }) {
      for (const { file: path, key } of await portraitsOf(from, id)) yield { path, key };
    },
  });
  registerArchivePart(ctx, {
    name: 'profile',
    title: 'Profile',
    lead: 'Your profile details and view count.',
    entries: async function* ({ db }, { id }) {
      for (const profile of await db.run<{ bio: string }>(PROFILE, [id]))
        yield { ...profile, frames: await viewEmbeds({ db }, id) };
    },
  });
}

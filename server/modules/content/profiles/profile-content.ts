/** Moderation reads the content of a profile, takes parts of it down, and restores them. */

import { customLink, socialLink } from '@stagedoor/contract/content/social-links.ts';
import type { ProfilePart } from '@stagedoor/contract/trust/case-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { updateCreatorRow } from '../../identity/accounts/index.ts';
import { createProfilePicture, discardProfilePicture } from '../media/index.ts';
import './events.ts';
import { parseCustomLinks, parseSocialLinks } from './links.ts';
import { replaceAvatar, replaceCover } from './service.ts';

const textFields = {
  ...{ craft: z.string(), city: z.string(), bio: z.string() },
  ...{ links: z.array(socialLink), customLinks: z.array(customLink) },
};
/** This is also the format of the stored snapshot. */
export const profileContent = z.object({
  ...{ name: z.string(), username: z.string(), ...textFields },
  avatarKey: z.nullable(z.string()),
  cover: z.nullable(z.object({ key: z.string(), width: z.number() })),
});
export type ProfileContent = z.infer<typeof profileContent>;

type Row = {
  name: string;
  username: string;
  is_creator: boolean;
  avatar_key: string | null;
  craft: string | null;
  city: string | null;
  bio: string | null;
  links: unknown;
  custom_links: unknown;
  cover_key: string | null;
  cover_width: number | null;
};
const SELECT_CONTENT = `select u.name, u.username, c.user_id is not null as is_creator, u.avatar_key, c.craft, c.city, c.bio, c.links, c.custom_links, c.cover_key, c.cover_width
    from users u left join creators c on c.user_id = u.id where u.id = $1`;
const FIND_CONTENT: SqlStatement = { name: 'profiles-content', text: SELECT_CONTENT };
const LOCK_CONTENT: SqlStatement = {
  name: 'profiles-content-locked',
  text: `${SELECT_CONTENT} for no key update of u`,
};

const toProfileContent = (row: Row): ProfileContent => ({
  name: row.name,
  username: row.username,
  ...{ craft: row.craft ?? '', city: row.city ?? '', bio: row.bio ?? '' },
  ...{ links: parseSocialLinks(row.links), customLinks: parseCustomLinks(row.custom_links) },
  avatarKey: row.avatar_key,
  cover: row.cover_key === null || row.cover_width === null ? null : { key: row.cover_key, width: row.cover_width },
});

export async function loadProfileContent(db: Executor, userId: string): Promise<ProfileContent | undefined> {
  const [row] = await db.run<Row>(FIND_CONTENT, [userId]);
  return row && toProfileContent(row);
}

export function listProfileParts({
  avatarKey,
  cover,
  craft,
  city,
  bio,
  links,
  customLinks: custom,
}: ProfileContent): ProfilePart[] {
  const hasText = craft + city + bio !== '' || links.length + custom.length > 0;
  return [
    ...(avatarKey === null ? [] : (['avatar'] as const)),
    ...(cover === null ? [] : (['cover'] as const)),
    ...(hasText ? (['text'] as const) : []),
  ];
}

async function emitChanged(tx: DbTransaction, userId: string, { is_creator: isCreator, username }: Row): Promise<void> {
  if (isCreator) await tx.emit('profile.changed', { creatorId: userId, username });
}

/** The files of its pictures are deleted as soon as this commits. */
export async function takeDownProfileParts(
  ctx: Context,
  tx: DbTransaction,
  userId: string,
  parts: readonly ProfilePart[],
): Promise<void> {
  const [row] = await tx.run<Row>(LOCK_CONTENT, [userId]);
  if (!row) return;
  const immediately = { isImmediate: true };
  if (parts.includes('avatar')) await replaceAvatar(ctx, tx, userId, null, immediately);
  if (parts.includes('cover') && row.is_creator) await replaceCover(ctx, tx, userId, null, immediately);
  if (parts.includes('text') && row.is_creator)
    await updateCreatorRow(tx, userId, { craft: '', city: '', bio: '', links: '[]', custom_links: '[]' });
  await emitChanged(tx, userId, row);
}

/** A text that the user has written since is not overwritten. */
export async function restoreProfileText(tx: DbTransaction, userId: string, content: ProfileContent): Promise<void> {
  const [row] = await tx.run<Row>(LOCK_CONTENT, [userId]);
  if (!row?.is_creator) return;
  const current = toProfileContent(row);
  const getText = (field: 'craft' | 'city' | 'bio') => current[field] || content[field];
  const getLinksJson = (field: 'links' | 'customLinks') =>
    JSON.stringify(current[field].length > 0 ? current[field] : content[field]);
  await updateCreatorRow(tx, userId, {
    ...{ craft: getText('craft'), city: getText('city'), bio: getText('bio') },
    ...{ links: getLinksJson('links'), custom_links: getLinksJson('customLinks') },
  });
  await emitChanged(tx, userId, row);
}

/** A picture that the user has set since is not replaced. */
export async function restoreProfilePicture(
  ctx: Context,
  userId: string,
  pictureKind: 'avatar' | 'cover',
  file: Buffer,
): Promise<void> {
  const picture = await createProfilePicture(ctx, userId, pictureKind, file);
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.run<Row>(LOCK_CONTENT, [userId]);
    const isOccupied = !row || (pictureKind === 'avatar' ? row.avatar_key : row.cover_key) !== null;
    if (isOccupied || (pictureKind === 'cover' && !row.is_creator)) return discardProfilePicture(ctx, tx, picture.key);
    if (pictureKind === 'avatar') await replaceAvatar(ctx, tx, userId, picture);
    else await replaceCover(ctx, tx, userId, picture);
    await emitChanged(tx, userId, row);
  });
}

/** Moderation reads the content of a profile, takes parts of it down, and restores them. */
import type { ProfilePart } from '@stagedoor/contract/case-kinds.ts';
import { ownLink, socialLink } from '@stagedoor/contract/social.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../kernel/db.ts';
import { changeCreator } from '../accounts/index.ts';
import { discardPortrait, makePortrait } from '../media/index.ts';
import './events.ts';
import { ownLinks, socialLinks } from './links.ts';
import { replaceAvatar, replaceCover } from './service.ts';

const words = {
  ...{ craft: z.string(), city: z.string(), bio: z.string() },
  ...{ links: z.array(socialLink), ownLinks: z.array(ownLink) },
};
/** This is also the format of the stored snapshot. */
export const shownProfile = z.object({
  ...{ name: z.string(), username: z.string(), ...words },
  avatarKey: z.nullable(z.string()),
  cover: z.nullable(z.object({ key: z.string(), width: z.number() })),
});
export type ShownProfile = z.infer<typeof shownProfile>;

type Row = {
  name: string;
  username: string;
  is_creator: boolean;
  avatar_key: string | null;
  craft: string | null;
  city: string | null;
  bio: string | null;
  links: unknown;
  own_links: unknown;
  cover_key: string | null;
  cover_width: number | null;
};
const SHOWN = `select u.name, u.username, c.user_id is not null as is_creator, u.avatar_key, c.craft, c.city, c.bio, c.links, c.own_links, c.cover_key, c.cover_width
    from users u left join creators c on c.user_id = u.id where u.id = $1`;
const READ: Statement = { name: 'profiles-shown', text: SHOWN };
const LOCK: Statement = { name: 'profiles-shown-locked', text: `${SHOWN} for no key update of u` };

const shownOf = (row: Row): ShownProfile => ({
  name: row.name,
  username: row.username,
  ...{ craft: row.craft ?? '', city: row.city ?? '', bio: row.bio ?? '' },
  ...{ links: socialLinks(row.links), ownLinks: ownLinks(row.own_links) },
  avatarKey: row.avatar_key,
  cover: row.cover_key === null || row.cover_width === null ? null : { key: row.cover_key, width: row.cover_width },
});

export async function readShown(db: Executor, userId: string): Promise<ShownProfile | undefined> {
  const [row] = await db.run<Row>(READ, [userId]);
  return row && shownOf(row);
}

export function partsShown({ avatarKey, cover, craft, city, bio, links, ownLinks: own }: ShownProfile): ProfilePart[] {
  const hasWords = craft + city + bio !== '' || links.length + own.length > 0;
  return [
    ...(avatarKey === null ? [] : (['avatar'] as const)),
    ...(cover === null ? [] : (['cover'] as const)),
    ...(hasWords ? (['words'] as const) : []),
  ];
}

async function tell(tx: Transaction, userId: string, { is_creator: isCreator, username }: Row): Promise<void> {
  if (isCreator) await tx.emit('profile.changed', { creatorId: userId, username });
}

/** The files of its pictures are deleted as soon as this commits. */
export async function takeFromProfile(
  ctx: Context,
  tx: Transaction,
  userId: string,
  parts: readonly ProfilePart[],
): Promise<void> {
  const [row] = await tx.run<Row>(LOCK, [userId]);
  if (!row) return;
  const atOnce = { isAtOnce: true };
  if (parts.includes('avatar')) await replaceAvatar(ctx, tx, userId, null, atOnce);
  if (parts.includes('cover') && row.is_creator) await replaceCover(ctx, tx, userId, null, atOnce);
  if (parts.includes('words') && row.is_creator)
    await changeCreator(tx, userId, { craft: '', city: '', bio: '', links: '[]', own_links: '[]' });
  await tell(tx, userId, row);
}

/** A text that the user has written since is not overwritten. */
export async function giveWordsBack(tx: Transaction, userId: string, words: ShownProfile): Promise<void> {
  const [row] = await tx.run<Row>(LOCK, [userId]);
  if (!row?.is_creator) return;
  const now = shownOf(row);
  const text = (which: 'craft' | 'city' | 'bio') => now[which] || words[which];
  const links = (which: 'links' | 'ownLinks') => JSON.stringify(now[which].length > 0 ? now[which] : words[which]);
  await changeCreator(tx, userId, {
    ...{ craft: text('craft'), city: text('city'), bio: text('bio') },
    ...{ links: links('links'), own_links: links('ownLinks') },
  });
  await tell(tx, userId, row);
}

/** A picture that the user has set since is not replaced. */
export async function givePictureBack(
  ctx: Context,
  userId: string,
  which: 'avatar' | 'cover',
  file: Buffer,
): Promise<void> {
  const portrait = await makePortrait(ctx, userId, which, file);
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.run<Row>(LOCK, [userId]);
    const isTaken = !row || (which === 'avatar' ? row.avatar_key : row.cover_key) !== null;
    if (isTaken || (which === 'cover' && !row.is_creator)) return discardPortrait(ctx, tx, portrait.key);
    if (which === 'avatar') await replaceAvatar(ctx, tx, userId, portrait);
    else await replaceCover(ctx, tx, userId, portrait);
    await tell(tx, userId, row);
  });
}

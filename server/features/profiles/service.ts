import { profileName, type Viewer } from '@stagedoor/contract/accounts.ts';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import { check } from '@stagedoor/contract/atoms/words.ts';
import { MIDDLE, type Profile, type updateOwnProfile } from '@stagedoor/contract/profiles.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';
import { requireSeenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import { changeCreator, requireUser, updatePerson, viewerOf } from '../accounts/index.ts';
import { type Crop, discardPortrait, makePortrait, type PictureForm, type Portrait } from '../media/index.ts';
import { PROFILE_BY_ID, PROFILE_BY_NAME, type ProfileRow, presentProfile } from './card.ts';
import './events.ts';
import { rename, reviewOf } from './names.ts';

/**
 * Throws NOT_FOUND if the user is not a creator, is blocked (except for themselves) or is in a blocked pair with the
 * viewer.
 */
export async function accessProfile(ctx: Context, actor: Actor | undefined, idOrName: string): Promise<ProfileRow> {
  const viewerId = actor?.userId ?? null;
  const statement = isId(idOrName) ? PROFILE_BY_ID : PROFILE_BY_NAME;
  const [row] = await ctx.db.run<ProfileRow>(statement, [viewerId, idOrName]);
  if (!row || row.is_apart || (row.is_blocked && row.id !== viewerId)) throw new AppError('NOT_FOUND');
  requireSeenHere(row.id);
  return row;
}

export async function viewProfile(ctx: Context, actor: Actor | undefined, idOrName: string): Promise<Profile> {
  return presentProfile(ctx, await accessProfile(ctx, actor, idOrName), actor?.userId ?? null);
}

export async function getOwn(ctx: Context, actor: Actor): Promise<Profile> {
  const row = await accessProfile(ctx, actor, actor.userId);
  const nameReview = await reviewOf(ctx, actor.userId);
  return { ...presentProfile(ctx, row, actor.userId), ...(nameReview && { nameReview }) };
}

function tell(tx: Transaction, actor: Actor): Promise<void> {
  return tx.emit('profile.changed', { creatorId: actor.userId, username: actor.username });
}

export async function updateOwn(ctx: Context, actor: Actor, body: BodyOf<typeof updateOwnProfile>): Promise<Profile> {
  await ctx.db.transaction(async (tx) => {
    await rename(ctx.clock, tx, actor.userId, body.name);
    await changeCreator(tx, actor.userId, {
      craft: body.craft,
      city: body.city,
      bio: body.bio,
      category: body.category,
      links: JSON.stringify(body.links),
      own_links: JSON.stringify(body.ownLinks),
      layout: body.layout,
      shape: body.shape,
      format: body.format,
      cover_focus_x: body.coverFocus.x,
      cover_focus_y: body.coverFocus.y,
    });
    await tell(tx, actor);
  });
  return getOwn(ctx, actor);
}

export async function setCallRate(
  ctx: Context,
  creator: { creatorId: string; username: string; rateCents: number | null },
) {
  const { creatorId, username, rateCents } = creator;
  await ctx.db.transaction(async (tx) => {
    await changeCreator(tx, creatorId, { call_rate_cents: rateCents });
    await tx.emit('profile.changed', { creatorId, username });
  });
}

/** `isAtOnce` deletes the files of the old one immediately. */
export async function replaceAvatar(
  ctx: Context,
  tx: Transaction,
  userId: string,
  portrait: Portrait | null,
  { isAtOnce = false } = {},
): Promise<void> {
  const { avatar_key: old } = await tx.query
    .selectFrom('users')
    .select('avatar_key')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await updatePerson(tx, userId, { avatar: portrait && { key: portrait.key, thumbhash: portrait.thumbhash } });
  if (old) await discardPortrait(ctx, tx, old, { isAtOnce });
}

export async function replaceCover(
  ctx: Context,
  tx: Transaction,
  userId: string,
  portrait: Portrait | null,
  { isAtOnce = false } = {},
): Promise<void> {
  const { cover_key: old } = await tx.query
    .selectFrom('creators')
    .select('cover_key')
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await changeCreator(tx, userId, {
    cover_key: portrait?.key ?? null,
    cover_width: portrait?.width ?? null,
    cover_height: portrait?.height ?? null,
    cover_thumbhash: portrait?.thumbhash ?? null,
    cover_focus_x: MIDDLE.x,
    cover_focus_y: MIDDLE.y,
  });
  if (old) await discardPortrait(ctx, tx, old, { isAtOnce });
}

const part = z.coerce.number().check(z.gte(0), z.lte(1));
const crop = z.object({ x: part, y: part, side: part.check(z.gt(0)) });

/** Throws VALIDATION for an incomplete square. */
function cropOf(fields: PictureForm['fields']): Crop | undefined {
  if (!fields.has('cropSide')) return undefined;
  const given = { x: fields.get('cropX'), y: fields.get('cropY'), side: fields.get('cropSide') };
  const parsed = z.safeParse(crop, given);
  if (!parsed.success) throw invalid('crop', 'Choose a different crop.');
  return parsed.data;
}

/** Throws VALIDATION without a file, UNSUPPORTED_TYPE, TOO_LARGE. */
export async function replacePicture(
  ctx: Context,
  actor: Actor,
  which: 'avatar' | 'cover',
  { file, fields }: PictureForm,
): Promise<Profile> {
  if (!file) throw invalid('file', 'Choose a photo.');
  await setPicture(ctx, actor, which, await makePortrait(ctx, actor.userId, which, file, cropOf(fields)));
  return getOwn(ctx, actor);
}

export async function removePicture(ctx: Context, actor: Actor, which: 'avatar' | 'cover'): Promise<Profile> {
  await setPicture(ctx, actor, which, null);
  return getOwn(ctx, actor);
}

function setPicture(ctx: Context, actor: Actor, which: 'avatar' | 'cover', portrait: Portrait | null): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (which === 'avatar') await replaceAvatar(ctx, tx, actor.userId, portrait);
    else await replaceCover(ctx, tx, actor.userId, portrait);
    await tell(tx, actor);
  });
}

/** Absent fields stay unchanged. Throws VALIDATION, UNSUPPORTED_TYPE, TOO_LARGE. */
export async function updateSelf(ctx: Context, actor: Actor, { file, fields }: PictureForm): Promise<Viewer> {
  const given = fields.get('name');
  const name = given === undefined ? undefined : check(profileName, given);
  if (name && !name.success) throw invalid('name', name.error.issues[0]?.message ?? 'Please enter name');
  const isAvatarRemoved = ['true', '1'].includes(fields.get('isAvatarRemoved') ?? '');
  const portrait =
    file && file.length > 0 ? await makePortrait(ctx, actor.userId, 'avatar', file, cropOf(fields)) : undefined;
  await ctx.db.transaction(async (tx) => {
    const user = await requireUser(tx, actor.userId);
    if (name) await rename(ctx.clock, tx, actor.userId, name.data);
    if (portrait) await replaceAvatar(ctx, tx, actor.userId, portrait);
    else if (isAvatarRemoved) await replaceAvatar(ctx, tx, actor.userId, null);
    if (user.type === 'creator') await tell(tx, actor);
  });
  return viewerOf(ctx, actor);
}

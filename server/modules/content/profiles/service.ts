import { CENTER, type Profile, type updateOwnProfile } from '@stagedoor/contract/content/profiles.ts';
import { profileName, type Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import { validate } from '@stagedoor/contract/shared/validation.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getViewer, requireUser, updateCreatorRow, updateProfileFields } from '../../identity/accounts/index.ts';
import {
  type Crop,
  createProfilePicture,
  discardProfilePicture,
  type PictureForm,
  type StoredProfilePicture,
} from '../media/index.ts';
import { PROFILE_BY_ID, PROFILE_BY_NAME, type ProfileRow, presentProfile } from './card.ts';
import './events.ts';
import { changeName, findNameReview } from './display-name-review.ts';
import * as texts from './texts.ts';

/**
 * Throws NOT_FOUND if the user is not a creator, is blocked (except for themselves) or is in a blocked pair with the
 * viewer.
 */
export async function accessProfile(ctx: Context, actor: Actor | undefined, idOrName: string): Promise<ProfileRow> {
  const viewerId = actor?.userId ?? null;
  const statement = isId(idOrName) ? PROFILE_BY_ID : PROFILE_BY_NAME;
  const [row] = await ctx.db.run<ProfileRow>(statement, [viewerId, idOrName]);
  if (!row || row.is_blocked_pair || (row.is_blocked && row.id !== viewerId)) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(row.id);
  return row;
}

export async function viewProfile(ctx: Context, actor: Actor | undefined, idOrName: string): Promise<Profile> {
  return presentProfile(ctx, await accessProfile(ctx, actor, idOrName), actor?.userId ?? null);
}

export async function getOwnProfile(ctx: Context, actor: Actor): Promise<Profile> {
  const row = await accessProfile(ctx, actor, actor.userId);
  const nameReview = await findNameReview(ctx, actor.userId);
  return { ...presentProfile(ctx, row, actor.userId), ...(nameReview && { nameReview }) };
}

function emitChanged(tx: DbTransaction, actor: Actor): Promise<void> {
  return tx.emit('profile.changed', { creatorId: actor.userId, username: actor.username });
}

export async function saveOwnProfile(
  ctx: Context,
  actor: Actor,
  body: BodyOf<typeof updateOwnProfile>,
): Promise<Profile> {
  await ctx.db.transaction(async (tx) => {
    await changeName(ctx.clock, tx, actor.userId, body.name);
    await updateCreatorRow(tx, actor.userId, {
      craft: body.craft,
      city: body.city,
      bio: body.bio,
      category: body.category,
      links: JSON.stringify(body.links),
      custom_links: JSON.stringify(body.customLinks),
      layout: body.layout,
      shape: body.shape,
      format: body.format,
      cover_focus_x: body.coverFocus.x,
      cover_focus_y: body.coverFocus.y,
    });
    await emitChanged(tx, actor);
  });
  return getOwnProfile(ctx, actor);
}

export async function setCallRate(
  ctx: Context,
  creator: { creatorId: string; username: string; rateCents: number | null },
) {
  const { creatorId, username, rateCents } = creator;
  await ctx.db.transaction(async (tx) => {
    await updateCreatorRow(tx, creatorId, { call_rate_cents: rateCents });
    await tx.emit('profile.changed', { creatorId, username });
  });
}

/** `isImmediate` deletes the files of the old one immediately. */
export async function replaceAvatar(
  ctx: Context,
  tx: DbTransaction,
  userId: string,
  picture: StoredProfilePicture | null,
  { isImmediate = false } = {},
): Promise<void> {
  const { avatar_key: old } = await tx.query
    .selectFrom('users')
    .select('avatar_key')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await updateProfileFields(tx, userId, { avatar: picture && { key: picture.key, thumbhash: picture.thumbhash } });
  if (old) await discardProfilePicture(ctx, tx, old, { isImmediate });
}

export async function replaceCover(
  ctx: Context,
  tx: DbTransaction,
  userId: string,
  picture: StoredProfilePicture | null,
  { isImmediate = false } = {},
): Promise<void> {
  const { cover_key: old } = await tx.query
    .selectFrom('creators')
    .select('cover_key')
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  await updateCreatorRow(tx, userId, {
    cover_key: picture?.key ?? null,
    cover_width: picture?.width ?? null,
    cover_height: picture?.height ?? null,
    cover_thumbhash: picture?.thumbhash ?? null,
    cover_focus_x: CENTER.x,
    cover_focus_y: CENTER.y,
  });
  if (old) await discardProfilePicture(ctx, tx, old, { isImmediate });
}

const fraction = z.coerce.number().check(z.gte(0), z.lte(1));
const cropSchema = z.object({ x: fraction, y: fraction, side: fraction.check(z.gt(0)) });

/** Throws VALIDATION for an incomplete square. */
function parseCrop(fields: PictureForm['fields']): Crop | undefined {
  if (!fields.has('cropSide')) return undefined;
  const input = { x: fields.get('cropX'), y: fields.get('cropY'), side: fields.get('cropSide') };
  const parsed = z.safeParse(cropSchema, input);
  if (!parsed.success) throw createFieldError('crop', texts.chooseDifferentCrop);
  return parsed.data;
}

/** Throws VALIDATION without a file, UNSUPPORTED_TYPE, TOO_LARGE. */
export async function replacePicture(
  ctx: Context,
  actor: Actor,
  pictureKind: 'avatar' | 'cover',
  { file, fields }: PictureForm,
): Promise<Profile> {
  if (!file) throw createFieldError('file', texts.choosePhoto);
  await setPicture(
    ctx,
    actor,
    pictureKind,
    await createProfilePicture(ctx, actor.userId, pictureKind, file, parseCrop(fields)),
  );
  return getOwnProfile(ctx, actor);
}

export async function removePicture(ctx: Context, actor: Actor, pictureKind: 'avatar' | 'cover'): Promise<Profile> {
  await setPicture(ctx, actor, pictureKind, null);
  return getOwnProfile(ctx, actor);
}

function setPicture(
  ctx: Context,
  actor: Actor,
  pictureKind: 'avatar' | 'cover',
  picture: StoredProfilePicture | null,
): Promise<void> {
  return ctx.db.transaction(async (tx) => {
    if (pictureKind === 'avatar') await replaceAvatar(ctx, tx, actor.userId, picture);
    else await replaceCover(ctx, tx, actor.userId, picture);
    await emitChanged(tx, actor);
  });
}

/** Absent fields stay unchanged. Throws VALIDATION, UNSUPPORTED_TYPE, TOO_LARGE. */
export async function saveNameAndAvatar(ctx: Context, actor: Actor, { file, fields }: PictureForm): Promise<Viewer> {
  const input = fields.get('name');
  const name = input === undefined ? undefined : validate(profileName, input);
  if (name && !name.success) throw createFieldError('name', name.error.issues[0]?.message ?? texts.enterName);
  const isAvatarRemoved = ['true', '1'].includes(fields.get('isAvatarRemoved') ?? '');
  const picture =
    file && file.length > 0
      ? await createProfilePicture(ctx, actor.userId, 'avatar', file, parseCrop(fields))
      : undefined;
  await ctx.db.transaction(async (tx) => {
    const user = await requireUser(tx, actor.userId);
    if (name) await changeName(ctx.clock, tx, actor.userId, name.data);
    if (picture) await replaceAvatar(ctx, tx, actor.userId, picture);
    else if (isAvatarRemoved) await replaceAvatar(ctx, tx, actor.userId, null);
    if (user.type === 'creator') await emitChanged(tx, actor);
  });
  return getViewer(ctx, actor);
}

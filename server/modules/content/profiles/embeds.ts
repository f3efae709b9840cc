/** Sites that may embed a creator's post, card or tip button. */

import type { getEmbedSettings, updateEmbedSettings } from '@stagedoor/contract/content/embed-settings.ts';
import { createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { isGeoBlocked } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import * as texts from './texts.ts';

type EmbedSettings = ResponseInputOf<typeof getEmbedSettings>;
type EmbedSettingsRow = EmbedSettings & { creatorId: string };

const ALLOW_ANY: EmbedSettings = { allowed: 'any', origins: [] };
const BY_CREATOR: SqlStatement = {
  name: 'profiles-embeds',
  text: 'select allowed, origins from embed_settings where creator_id = $1',
};
const BY_ID: SqlStatement = {
  name: 'profiles-embeds-of-id',
  text: 'select creator_id as "creatorId", allowed, origins from embed_settings where creator_id = $1',
};
const BY_USERNAME: SqlStatement = {
  name: 'profiles-embeds-of-name',
  text: 'select e.creator_id as "creatorId", e.allowed, e.origins from embed_settings e join users u on u.id = e.creator_id where u.username = $1::citext',
};
const BY_POST: SqlStatement = {
  name: 'profiles-embeds-of-post',
  text: 'select e.creator_id as "creatorId", e.allowed, e.origins from embed_settings e join posts p on p.creator_id = e.creator_id where p.id = $1',
};
const SAVE: SqlStatement = {
  name: 'profiles-set-embeds',
  text: `insert into embed_settings (creator_id, allowed, origins) values ($1, $2, $3)
    on conflict (creator_id) do update set allowed = excluded.allowed, origins = excluded.origins`,
};

export async function readEmbedSettings({ db }: Pick<Context, 'db'>, userId: string): Promise<EmbedSettings> {
  return (await db.run<EmbedSettings>(BY_CREATOR, [userId]))[0] ?? ALLOW_ANY;
}

/** Cached frames are rebuilt. */
export async function saveEmbedSettings(
  { db }: Pick<Context, 'db'>,
  { userId, username }: Pick<Actor, 'userId' | 'username'>,
  { allowed, origins }: BodyOf<typeof updateEmbedSettings>,
): Promise<EmbedSettings> {
  const parsedOrigins = origins.map((origin) => URL.parse(origin)?.origin);
  const sites = parsedOrigins.filter((origin) => origin !== undefined);
  if (sites.length < parsedOrigins.length) throw createFieldError('origins', texts.invalidEmbedSite);
  const savedOrigins = allowed === 'named' ? [...new Set(sites)] : [];
  await db.transaction(async (tx) => {
    await tx.run(SAVE, [userId, allowed, savedOrigins]);
    await tx.emit('profile.changed', { creatorId: userId, username });
  });
  return { allowed, origins: savedOrigins };
}

async function findSettingsForUrl({ db }: Pick<Context, 'db'>, url: string): Promise<EmbedSettings> {
  const [, kind, id = ''] = /^\/embed\/(post|profile|tip)\/([\w.-]{1,64})/.exec(url) ?? [];
  if (kind === 'post' && !isId(id)) return ALLOW_ANY;
  const [row] = await db.run<EmbedSettingsRow>(kind === 'post' ? BY_POST : isId(id) ? BY_ID : BY_USERNAME, [id]);
  return row && !isGeoBlocked(row.creatorId) ? row : ALLOW_ANY;
}

const hasNoAllowedOrigin = ({ allowed, origins }: EmbedSettings) =>
  allowed === 'none' || (allowed === 'named' && origins.length === 0);

/**
 * Returns the sources of `frame-ancestors` (CSP 3, 6.4.2). A creator who is hidden in the caller's region is treated as
 * unknown.
 */
export async function getFrameAncestors(ctx: Pick<Context, 'db'>, url: string): Promise<string> {
  const settings = await findSettingsForUrl(ctx, url);
  if (hasNoAllowedOrigin(settings)) return "'none'";
  return settings.allowed === 'any' ? '*' : settings.origins.join(' ');
}

export async function isEmbeddingDisabled(ctx: Pick<Context, 'db'>, creatorId: string): Promise<boolean> {
  return hasNoAllowedOrigin(await readEmbedSettings(ctx, creatorId));
}

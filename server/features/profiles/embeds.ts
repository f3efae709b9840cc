/** Sites that may embed a creator's post, card or tip button. */
import { invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type { embedSettings, setEmbedSettings } from '@stagedoor/contract/embed-settings.ts';
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { isHiddenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';

type Settings = AnswerOf<typeof embedSettings>;
type Found = Settings & { creatorId: string };

const ANY: Settings = { allowed: 'any', origins: [] };
const OF_CREATOR: Statement = {
  name: 'profiles-embeds',
  text: 'select allowed, origins from embed_settings where creator_id = $1',
};
const OF_ID: Statement = {
  name: 'profiles-embeds-of-id',
  text: 'select creator_id as "creatorId", allowed, origins from embed_settings where creator_id = $1',
};
const OF_NAME: Statement = {
  name: 'profiles-embeds-of-name',
  text: 'select e.creator_id as "creatorId", e.allowed, e.origins from embed_settings e join users u on u.id = e.creator_id where u.username = $1::citext',
};
const OF_POST: Statement = {
  name: 'profiles-embeds-of-post',
  text: 'select e.creator_id as "creatorId", e.allowed, e.origins from embed_settings e join posts p on p.creator_id = e.creator_id where p.id = $1',
};
const SET: Statement = {
  name: 'profiles-set-embeds',
  text: `insert into embed_settings (creator_id, allowed, origins) values ($1, $2, $3)
    on conflict (creator_id) do update set allowed = excluded.allowed, origins = excluded.origins`,
};

export async function viewEmbeds({ db }: Pick<Context, 'db'>, userId: string): Promise<Settings> {
  return (await db.run<Settings>(OF_CREATOR, [userId]))[0] ?? ANY;
}

/** Cached frames are rebuilt. */
export async function changeEmbeds(
  { db }: Pick<Context, 'db'>,
  { userId, username }: Pick<Actor, 'userId' | 'username'>,
  { allowed, origins }: BodyOf<typeof setEmbedSettings>,
): Promise<Settings> {
  const read = origins.map((origin) => URL.parse(origin)?.origin);
  const sites = read.filter((origin) => origin !== undefined);
  if (sites.length < read.length) throw invalid('origins', 'Enter a site like https://example.com');
  const kept = allowed === 'named' ? [...new Set(sites)] : [];
  await db.transaction(async (tx) => {
    await tx.run(SET, [userId, allowed, kept]);
    await tx.emit('profile.changed', { creatorId: userId, username });
  });
  return { allowed, origins: kept };
}

async function settingsAt({ db }: Pick<Context, 'db'>, url: string): Promise<Settings> {
  const [, kind, id = ''] = /^\/embed\/(post|profile|tip)\/([\w.-]{1,64})/.exec(url) ?? [];
  if (kind === 'post' && !isId(id)) return ANY;
  const [found] = await db.run<Found>(kind === 'post' ? OF_POST : isId(id) ? OF_ID : OF_NAME, [id]);
  return found && !isHiddenHere(found.creatorId) ? found : ANY;
}

const areNone = ({ allowed, origins }: Settings) => allowed === 'none' || (allowed === 'named' && origins.length === 0);

/**
 * Returns the sources of `frame-ancestors` (CSP 3, 6.4.2). A creator who is hidden in the caller's region is treated as
 * unknown.
 */
export async function framersAt(ctx: Pick<Context, 'db'>, url: string): Promise<string> {
  const settings = await settingsAt(ctx, url);
  if (areNone(settings)) return "'none'";
  return settings.allowed === 'any' ? '*' : settings.origins.join(' ');
}

export async function isNowhere(ctx: Pick<Context, 'db'>, creatorId: string): Promise<boolean> {
  return areNone(await viewEmbeds(ctx, creatorId));
}

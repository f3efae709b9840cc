/** oEmbed (oembed.com, 2.3), as a visitor would see the content. */
import { profilePath } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { EMBED_SIZES, type EmbedKind, embedCode, embedPath } from '@stagedoor/contract/embeds.ts';
import type { oembed } from '@stagedoor/contract/profiles.ts';
import type { Context } from '../../kernel/context.ts';
import { coverThatFits } from '../media/index.ts';
import { getPost, type Thumbnail, thumbnailOf } from '../posts/index.ts';
import { type ProfileRow, presentProfile } from './card.ts';
import { isNowhere } from './embeds.ts';
import { accessProfile } from './service.ts';

const NAME = 'Stagedoor';
/** In seconds. Content that is removed meanwhile disappears from the frame immediately. */
const CACHE_AGE = 3_600;

type Query = QueryOf<typeof oembed>;
type Answer = AnswerOf<typeof oembed>;
type Facts = Pick<Answer, 'type' | 'title' | 'author_name' | 'author_url'> & {
  kind: EmbedKind;
  id: string;
  creatorId: string;
  thumbnail: Thumbnail | undefined;
};
type Fits = (size: Pick<Thumbnail, 'width' | 'height'>) => boolean;

function placeOf(address: string, origin: string): { kind: EmbedKind; id: string } | undefined {
  const url = URL.parse(address);
  if (url?.origin !== origin) return undefined;
  const [, kind, id = ''] = /^\/(post|profile)\/([\w.-]{1,64})\/?$/.exec(url.pathname) ?? [];
  return kind === 'post' || kind === 'profile' ? { kind, id } : undefined;
}

async function ofPost(ctx: Context, id: string, fits: Fits): Promise<Facts> {
  if (!isId(id)) throw new AppError('NOT_FOUND');
  const post = await getPost(ctx, undefined, id);
  const thumbnail = await thumbnailOf(ctx, id);
  return {
    kind: 'post',
    id,
    creatorId: post.author.id,
    type: post.isUnlocked && post.type === 'video' ? 'video' : 'rich',
    title: post.title || `Post by ${post.author.name}`,
    author_name: post.author.name,
    author_url: profilePath(post.author.username),
    thumbnail: thumbnail && fits(thumbnail) ? thumbnail : undefined,
  };
}

async function coverOf(ctx: Context, { cover_key: key, cover_width: width }: ProfileRow, fits: Fits) {
  return key === null || width === null ? undefined : coverThatFits(ctx, { key, width }, fits);
}

async function ofProfile(ctx: Context, id: string, fits: Fits): Promise<Facts> {
  const row = await accessProfile(ctx, undefined, id);
  const profile = presentProfile(ctx, row, null);
  return {
    kind: 'profile',
    id: profile.username,
    creatorId: profile.id,
    type: 'rich',
    title: profile.name,
    author_name: profile.name,
    author_url: profilePath(profile.username),
    thumbnail: await coverOf(ctx, row, fits),
  };
}

/** Throws NOT_FOUND for addresses of other sites, and for content that a visitor may not see. */
export async function answerOembed(ctx: Context, { url, maxwidth, maxheight }: Query): Promise<Answer> {
  const origin = ctx.config.publicUrl;
  const place = placeOf(url, origin);
  if (!place) throw new AppError('NOT_FOUND');
  const most = { width: maxwidth ?? Number.POSITIVE_INFINITY, height: maxheight ?? Number.POSITIVE_INFINITY };
  const fits: Fits = (size) => size.width <= most.width && size.height <= most.height;
  const { kind, id, thumbnail, ...facts } = await (place.kind === 'post' ? ofPost : ofProfile)(ctx, place.id, fits);
  const { creatorId, ...told } = facts;
  const width = Math.min(most.width, EMBED_SIZES[kind].width);
  const height = Math.min(most.height, EMBED_SIZES[kind].height);
  const frame = (await isNowhere(ctx, creatorId))
    ? { type: 'link' as const }
    : { html: embedCode(`${origin}${embedPath(kind, id)}`, { title: facts.title, width, height }), width, height };
  return {
    ...told,
    ...frame,
    version: '1.0',
    provider_name: NAME,
    provider_url: origin,
    author_url: `${origin}${facts.author_url}`,
    cache_age: CACHE_AGE,
    ...(thumbnail && {
      thumbnail_url: `${origin}${thumbnail.path}`,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  };
}

/** oEmbed (oembed.com, 2.3), as a visitor would see the content. */

import { EMBED_SIZES, type EmbedKind, embedCode, embedPath } from '@stagedoor/contract/content/embeds.ts';
import type { getOembed } from '@stagedoor/contract/content/profiles.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { findFittingCover } from '../media/index.ts';
import { findPostThumbnail, getPost, type Thumbnail } from '../posts/index.ts';
import { type ProfileRow, presentProfile } from './card.ts';
import { isEmbeddingDisabled } from './embeds.ts';
import { accessProfile } from './service.ts';
import * as texts from './texts.ts';

const PROVIDER_NAME = 'Stagedoor';
/** In seconds. Content that is removed meanwhile disappears from the frame immediately. */
const CACHE_AGE = 3_600;

type Query = QueryOf<typeof getOembed>;
type OembedResponse = ResponseInputOf<typeof getOembed>;
type EmbedDetails = Pick<OembedResponse, 'type' | 'title' | 'author_name' | 'author_url'> & {
  kind: EmbedKind;
  id: string;
  creatorId: string;
  thumbnail: Thumbnail | undefined;
};
type SizeCheck = (size: Pick<Thumbnail, 'width' | 'height'>) => boolean;

function parseEmbedUrl(address: string, origin: string): { kind: EmbedKind; id: string } | undefined {
  const url = URL.parse(address);
  if (url?.origin !== origin) return undefined;
  const [, kind, id = ''] = /^\/(post|profile)\/([\w.-]{1,64})\/?$/.exec(url.pathname) ?? [];
  return kind === 'post' || kind === 'profile' ? { kind, id } : undefined;
}

async function loadPost(ctx: Context, id: string, isFitting: SizeCheck): Promise<EmbedDetails> {
  if (!isId(id)) throw new AppError('NOT_FOUND');
  const post = await getPost(ctx, undefined, id);
  const thumbnail = await findPostThumbnail(ctx, id);
  return {
    kind: 'post',
    id,
    creatorId: post.author.id,
    type: post.isUnlocked && post.type === 'video' ? 'video' : 'rich',
    title: post.title || formatText(texts.postBy, { authorName: post.author.name }),
    author_name: post.author.name,
    author_url: profilePath(post.author.username),
    thumbnail: thumbnail && isFitting(thumbnail) ? thumbnail : undefined,
  };
}

async function findCover(ctx: Context, { cover_key: key, cover_width: width }: ProfileRow, isFitting: SizeCheck) {
  return key === null || width === null ? undefined : findFittingCover(ctx, { key, width }, isFitting);
}

async function loadProfile(ctx: Context, id: string, isFitting: SizeCheck): Promise<EmbedDetails> {
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
    thumbnail: await findCover(ctx, row, isFitting),
  };
}

/** Throws NOT_FOUND for addresses of other sites, and for content that a visitor may not see. */
export async function createOembed(ctx: Context, { url, maxwidth, maxheight }: Query): Promise<OembedResponse> {
  const origin = ctx.config.publicUrl;
  const target = parseEmbedUrl(url, origin);
  if (!target) throw new AppError('NOT_FOUND');
  const max = { width: maxwidth ?? Number.POSITIVE_INFINITY, height: maxheight ?? Number.POSITIVE_INFINITY };
  const isFitting: SizeCheck = (size) => size.width <= max.width && size.height <= max.height;
  const { kind, id, thumbnail, ...details } = await (target.kind === 'post' ? loadPost : loadProfile)(
    ctx,
    target.id,
    isFitting,
  );
  const { creatorId, ...fields } = details;
  const width = Math.min(max.width, EMBED_SIZES[kind].width);
  const height = Math.min(max.height, EMBED_SIZES[kind].height);
  const frame = (await isEmbeddingDisabled(ctx, creatorId))
    ? { type: 'link' as const }
    : { html: embedCode(`${origin}${embedPath(kind, id)}`, { title: details.title, width, height }), width, height };
  return {
    ...fields,
    ...frame,
    version: '1.0',
    provider_name: PROVIDER_NAME,
    provider_url: origin,
    author_url: `${origin}${details.author_url}`,
    cache_age: CACHE_AGE,
    ...(thumbnail && {
      thumbnail_url: `${origin}${thumbnail.path}`,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  };
}

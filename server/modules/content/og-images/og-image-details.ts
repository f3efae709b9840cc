/** The content is only what any visitor may see. The version is a hash of it. */
import { createHash } from 'node:crypto';
import { type OgImageKind, ogImagePath } from '@stagedoor/contract/content/og-images.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents, formatUsd, toCents } from '@stagedoor/contract/shared/money.ts';
import type { Context } from '../../../platform/context.ts';
import { findLinkPictureKey } from '../media/index.ts';
import { getPublicPost, presentPost } from '../posts/index.ts';
import { viewProfile } from '../profiles/index.ts';
import { type ActiveTheme, getActiveTheme } from '../themes/index.ts';
import { isDrawable } from './card-text.ts';
import * as texts from './texts.ts';

/** Increase it when the same content is drawn differently. */
const DRAWING_VERSION = 4;

export type OgImageDetails = {
  kind: OgImageKind;
  creatorId: string;
  title: string;
  subtitle: string;
  /** The name next to the avatar. Empty if the title contains it. */
  authorName: string;
  price: string;
  isVerified: boolean;
  /** Storage keys. */
  avatarKey: string | null;
  pictureKey: string | null;
  /** The focal point, in percent. */
  focus: { x: number; y: number };
  /** Nothing else of a locked picture is known here. */
  thumbhash: string | null;
  priceLabel: string;
  activeTheme: ActiveTheme;
};

const toFileKey = (url: string | null | undefined) => url?.replace(/^\/media\//, '') ?? null;
const joinParts = (parts: readonly string[], separator = ' · ') =>
  parts.filter((part) => part !== '' && isDrawable(part)).join(separator);

const toDisplayName = ({ name, username }: { name: string; username: string }) =>
  isDrawable(name) ? name : `@${username}`;

async function loadProfile(ctx: Context, id: string): Promise<OgImageDetails> {
  const { username, name, craft, city, callRate, isVerified, ...profile } = await viewProfile(ctx, undefined, id);
  const [displayName, handle] = [toDisplayName({ name, username }), `@${username}`];
  return {
    kind: 'profile',
    creatorId: profile.id,
    title: displayName,
    subtitle: joinParts([displayName === handle ? '' : handle, joinParts([craft, city], ', ')]),
    authorName: '',
    price: callRate === null ? texts.followForFree : formatText(texts.callRate, { price: formatUsd(callRate) }),
    isVerified,
    avatarKey: toFileKey(profile.avatarUrl),
    pictureKey: toFileKey(profile.cover?.url),
    focus: profile.coverFocus,
    thumbhash: null,
    priceLabel: '',
    activeTheme: await getActiveTheme(ctx.db, profile.id),
  };
}

async function loadPost(ctx: Context, id: string): Promise<OgImageDetails> {
  const row = await getPublicPost(ctx.db, id);
  const post = presentPost(row);
  const { author, price, mediaCount, isUnlocked } = post;
  const [first] = row.media;
  const priceText = formatCents(toCents(price));
  const authorName = toDisplayName(author);
  const hasTitle = isDrawable(post.title);
  return {
    kind: 'post',
    creatorId: author.id,
    title: hasTitle ? post.title || 'Untitled' : authorName,
    subtitle: mediaCount > 1 ? formatText(texts.photoCount, { count: mediaCount }) : '',
    authorName: hasTitle ? authorName : '',
    price: isUnlocked ? texts.freeToView : formatText(texts.unlockFor, { price: priceText }),
    isVerified: author.isVerified,
    avatarKey: toFileKey(author.avatarUrl),
    pictureKey: (isUnlocked && first && findLinkPictureKey(first)) || null,
    focus: { x: 50, y: 50 },
    thumbhash: isUnlocked ? null : (first?.preview_thumbhash ?? first?.thumbhash ?? null),
    priceLabel: isUnlocked ? '' : priceText,
    activeTheme: await getActiveTheme(ctx.db, author.id),
  };
}

/** Throws NOT_FOUND. */
export async function loadOgImageDetails(ctx: Context, kind: OgImageKind, id: string) {
  const details = kind === 'profile' ? await loadProfile(ctx, id) : await loadPost(ctx, id);
  const version = createHash('sha256')
    .update(JSON.stringify([DRAWING_VERSION, details]))
    .digest('hex')
    .slice(0, 16);
  const subjectId = kind === 'profile' ? details.creatorId : id;
  return { details, version, subjectId, path: ogImagePath(kind, subjectId, version) };
}

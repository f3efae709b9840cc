/** The content is only what any visitor may see. The version is a hash of it. */
import { createHash } from 'node:crypto';
import { formatCents, formatUsd, toCents } from '@stagedoor/contract/atoms/money.ts';
import { type ShareKind, sharePicturePath } from '@stagedoor/contract/shares.ts';
import type { Context } from '../../kernel/context.ts';
import { linkPictureOf } from '../media/index.ts';
import { getPost, openPost } from '../posts/index.ts';
import { viewProfile } from '../profiles/index.ts';
import { type Dress, dressOf } from '../themes/index.ts';
import { isDrawable } from './faces.ts';

/** Increase it when the same content is drawn differently. */
const DRAWING = 3;

export type Shown = {
  kind: ShareKind;
  creatorId: string;
  title: string;
  line: string;
  /** The name beside the avatar. Empty if the title contains it. */
  who: string;
  price: string;
  isVerified: boolean;
  /** Storage keys. */
  face: string | null;
  picture: string | null;
  /** The focal point, in percent. */
  focus: { x: number; y: number };
  /** Nothing else of a locked picture is known here. */
  light: string | null;
  seal: string;
  dress: Dress;
};

const keyOf = (url: string | null | undefined) => url?.replace(/^\/media\//, '') ?? null;
const list = (parts: readonly string[], between = ' · ') =>
  parts.filter((part) => part !== '' && isDrawable(part)).join(between);

const calledOf = ({ name, username }: { name: string; username: string }) => (isDrawable(name) ? name : `@${username}`);

async function ofProfile(ctx: Context, id: string): Promise<Shown> {
  const { username, name, craft, city, callRate, isVerified, ...of } = await viewProfile(ctx, undefined, id);
  const [called, handle] = [calledOf({ name, username }), `@${username}`];
  return {
    kind: 'profile',
    creatorId: of.id,
    title: called,
    line: list([called === handle ? '' : handle, list([craft, city], ', ')]),
    who: '',
    price: callRate === null ? 'Follow for free' : `Calls at ${formatUsd(callRate)} a minute`,
    isVerified,
    face: keyOf(of.avatarUrl),
    picture: keyOf(of.cover?.url),
    focus: of.coverFocus,
    light: null,
    seal: '',
    dress: await dressOf(ctx.db, of.id),
  };
}

async function ofPost(ctx: Context, id: string): Promise<Shown> {
  const post = await getPost(ctx, undefined, id);
  const { author, price, mediaCount, isUnlocked } = post;
  const [first] = (await openPost(ctx.db, id)).media;
  const cost = formatCents(toCents(price));
  const who = calledOf(author);
  const isTitled = isDrawable(post.title);
  return {
    kind: 'post',
    creatorId: author.id,
    title: isTitled ? post.title || 'Untitled' : who,
    line: mediaCount > 1 ? `${mediaCount} photos` : '',
    who: isTitled ? who : '',
    price: isUnlocked ? 'Free to view' : `Unlock · ${cost}`,
    isVerified: author.isVerified,
    face: keyOf(author.avatarUrl),
    picture: (isUnlocked && first && linkPictureOf(first)) || null,
    focus: { x: 50, y: 50 },
    light: isUnlocked ? null : (first?.preview_thumbhash ?? first?.thumbhash ?? null),
    seal: isUnlocked ? '' : cost,
    dress: await dressOf(ctx.db, author.id),
  };
}

/** Throws NOT_FOUND. */
export async function readShown(ctx: Context, kind: ShareKind, id: string) {
  const shown = kind === 'profile' ? await ofProfile(ctx, id) : await ofPost(ctx, id);
  const version = createHash('sha256')
    .update(JSON.stringify([DRAWING, shown]))
    .digest('hex')
    .slice(0, 16);
  const subjectId = kind === 'profile' ? shown.creatorId : id;
  return { shown, version, subjectId, path: sharePicturePath(kind, subjectId, version) };
}

/** What a picture for sharing shows: what any visitor may see, read anew each time, and named by a version that follows from it. */
import { createHash } from 'node:crypto';
import { formatCents, formatUsd, toCents } from '@stagedoor/contract/atoms/money.ts';
import { type ShareKind, sharePicturePath } from '@stagedoor/contract/shares.ts';
import type { Context } from '../../kernel/context.ts';
import { linkPictureOf } from '../media/index.ts';
import { getPost, openPost } from '../posts/index.ts';
import { viewProfile } from '../profiles/index.ts';
import { type Dress, dressOf } from '../themes/index.ts';
import { isDrawable } from './faces.ts';

/** Rises when the same facts are drawn otherwise. */
const DRAWING = 3;

export type Shown = {
  kind: ShareKind;
  creatorId: string;
  /** The largest words: a name, or a post's title. */
  title: string;
  /** The line below them. */
  line: string;
  /** Who it is of, beside the face; nothing where the title says it. */
  who: string;
  price: string;
  isVerified: boolean;
  /** Keys of the store. */
  face: string | null;
  picture: string | null;
  /** The point that stays in view, in percent. */
  focus: { x: number; y: number };
  /** The light of a locked one, by thumbhash; nothing else of it is known here. */
  light: string | null;
  /** On the seal of a locked one. */
  seal: string;
  /** The creator's own, for both kinds. */
  dress: Dress;
};

/** The key of a public file by its address. */
const keyOf = (url: string | null | undefined) => url?.replace(/^\/media\//, '') ?? null;
const list = (parts: readonly string[], between = ' · ') =>
  parts.filter((part) => part !== '' && isDrawable(part)).join(between);

/** What somebody is called where their name would not be drawn as it is read. */
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
    line: mediaCount > 1 ? `${mediaCount} pieces` : '',
    who: isTitled ? who : '',
    price: isUnlocked ? 'Free to look at' : `Unlock · ${cost}`,
    isVerified: author.isVerified,
    face: keyOf(author.avatarUrl),
    picture: (isUnlocked && first && linkPictureOf(first)) || null,
    focus: { x: 50, y: 50 },
    light: isUnlocked ? null : (first?.preview_thumbhash ?? first?.thumbhash ?? null),
    seal: isUnlocked ? '' : cost,
    dress: await dressOf(ctx.db, author.id),
  };
}

/** What is shown, and where. Throws NOT_FOUND for what a visitor may not see. */
export async function readShown(ctx: Context, kind: ShareKind, id: string) {
  const shown = kind === 'profile' ? await ofProfile(ctx, id) : await ofPost(ctx, id);
  const version = createHash('sha256')
    .update(JSON.stringify([DRAWING, shown]))
    .digest('hex')
    .slice(0, 16);
  const subjectId = kind === 'profile' ? shown.creatorId : id;
  return { shown, version, subjectId, path: sharePicturePath(kind, subjectId, version) };
}

/** The thing itself, shown when it is asked for: each look is in the audit log, and opens its files to that operator for an hour. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import { showThing } from '@stagedoor/contract/cases-desk.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findPeople } from '../../accounts/index.ts';
import { type Act, noteAct } from '../../audit/index.ts';
import { findAnyMessage, messagesAround } from '../../chat/index.ts';
import { DESK_TABLE, type MediaFacts, presentPostMedia } from '../../media/index.ts';
import { findAnyPost } from '../../posts/index.ts';
import { type CaseRow, findCase } from '../store.ts';

type Thing = AnswerOf<typeof showThing>;
/** Of a conversation, so many messages before and after the one that is named. */
const AROUND = 5;
const LOOK_MS = 60 * 60_000;

type Found = {
  mediaIds: string[];
  /** Documents and voice notes. */
  fileIds: string[];
  /** That a message is one of. */
  broadcastId: string | null;
  media: { facts: MediaFacts; alt: string }[];
  isGone: boolean;
  texts: () => Promise<Thing['texts']>;
};

async function postOf(db: Executor, id: string): Promise<Found | undefined> {
  const post = await findAnyPost(db, id);
  if (!post) return undefined;
  const at = post.created_at.toISOString();
  const text = { id, at, by: post.username, text: post.caption, isNamed: true };
  return {
    mediaIds: post.media.map((media) => media.id),
    fileIds: [],
    broadcastId: null,
    media: post.media.map(({ alt, ...facts }) => ({ facts, alt })),
    isGone: post.removed_at !== null,
    texts: async () => (post.caption === '' ? [] : [text]),
  };
}

async function messageOf(db: Executor, id: string): Promise<Found | undefined> {
  const message = await findAnyMessage(db, id);
  if (!message) return undefined;
  const media = message.files.flatMap((file) => (file.media === null ? [] : { facts: file.media, alt: '' }));
  return {
    mediaIds: media.map(({ facts }) => facts.id),
    fileIds: message.files.flatMap(({ file }) => file?.id ?? []),
    broadcastId: message.broadcast_id,
    media,
    isGone: message.unsent_at !== null,
    texts: async () => {
      const [around, people] = await Promise.all([
        messagesAround(db, message, AROUND),
        findPeople(db, [message.creator_id, message.fan_id]),
      ]);
      return around.map((one) => ({
        id: one.id,
        at: one.created_at.toISOString(),
        by: people.get(one.is_from_creator ? one.creator_id : one.fan_id)?.username ?? '',
        text: one.text || (one.type === 'text' ? '' : one.type),
        isNamed: one.id === id,
      }));
    },
  };
}

/** What a case is about, where it is something to be seen and still known to us. */
export async function thingOf(
  db: Executor,
  { subject, subject_id: id }: Pick<CaseRow, 'subject' | 'subject_id'>,
): Promise<Found | undefined> {
  if (id === null) return undefined;
  if (subject === 'post') return postOf(db, id);
  return subject === 'message' ? messageOf(db, id) : undefined;
}

/** Shows the thing to an operator, and notes that they looked. Throws NOT_FOUND. */
export async function lookAt(ctx: Context, actor: Actor, caseId: string): Promise<Thing> {
  const row = await findCase(ctx.db, caseId);
  const thing = row && (await thingOf(ctx.db, row));
  if (!row || !thing) throw new AppError('NOT_FOUND');
  return show(ctx, actor, thing, {
    ...{ act: 'case.look', subjectKind: 'case', subjectId: caseId },
    facts: { reference: row.reference, what: row.subject ?? '' },
  });
}

/** Shows a post to an operator, and notes that they looked. Throws NOT_FOUND. */
export async function lookAtPost(ctx: Context, actor: Actor, postId: string): Promise<Thing> {
  const thing = await postOf(ctx.db, postId);
  if (!thing) throw new AppError('NOT_FOUND');
  return show(ctx, actor, thing, { act: 'post.look', subjectKind: 'post', subjectId: postId });
}

/** Opens its files to that operator for a while. */
async function show(ctx: Context, actor: Actor, thing: Found, look: Omit<Act, 'operatorId'>): Promise<Thing> {
  const until = new Date(ctx.clock.now().getTime() + LOOK_MS);
  await ctx.db.transaction(async (tx) => {
    for (const mediaId of thing.mediaIds)
      await tx.query
        .insertInto('case_looks')
        .values({ operator_id: actor.userId, media_id: mediaId, until })
        .onConflict((conflict) => conflict.columns(['operator_id', 'media_id']).doUpdateSet({ until }))
        .execute();
    await noteAct(ctx, tx, { operatorId: actor.userId, ...look });
  });
  return {
    texts: await thing.texts(),
    media: thing.media.map(({ facts, alt }) => presentPostMedia({ ...facts, is_public: false }, alt, true, DESK_TABLE)),
  };
}

/** Whether an operator asked to see that medium within the hour. */
export async function mayLoad(ctx: Context, viewer: Actor, mediaId: string): Promise<boolean> {
  if (viewer.type !== 'operator' || !operatorMay(viewer.roles ?? [], showThing)) return false;
  const look = await ctx.db.query
    .selectFrom('case_looks')
    .select('until')
    .where('operator_id', '=', viewer.userId)
    .where('media_id', '=', mediaId)
    .executeTakeFirst();
  return look !== undefined && look.until > ctx.clock.now();
}

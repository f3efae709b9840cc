/** Each view is logged and opens the files to that operator for one hour. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type { showThing } from '@stagedoor/contract/cases-desk.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findPeople } from '../../accounts/index.ts';
import { type Act, noteAct } from '../../audit/index.ts';
import { fileUrl, findAnyMessage, messagesAround } from '../../chat/index.ts';
import { DESK_TABLE, type MediaFacts, presentPostMedia } from '../../media/index.ts';
import { findAnyPost } from '../../posts/index.ts';
import { requireReads } from '../access.ts';
import { type CaseRow, findCase, type Snapshot } from '../store.ts';
import { openFor } from './looks.ts';
import { profileOf } from './profile-shown.ts';

export type Thing = AnswerOf<typeof showThing>;
const AROUND = 5;

export type Found = {
  mediaIds: string[];
  /** Documents and voice notes. */
  fileIds: string[];
  broadcastId: string | null;
  media: { facts: MediaFacts; alt: string }[];
  files: Thing['files'];
  isGone: boolean;
  texts: () => Promise<Thing['texts']>;
  profiles?: (at: string) => { shown: Thing['profiles']; ids: string[] };
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
    files: [],
    isGone: post.removed_at !== null,
    texts: async () => (post.caption === '' ? [] : [text]),
  };
}

/** Private text is shown only together with the content. */
export function isPrivateWord({ subject }: Pick<CaseRow, 'subject'>, { name }: Snapshot[number]): boolean {
  return subject === 'message' && name === 'Text';
}

type OfCase = Pick<CaseRow, 'id' | 'subject' | 'subject_id' | 'person_id' | 'decision_id' | 'snapshot' | 'opened_at'>;

const keptWords = (row: OfCase) => row.snapshot.find((fact) => isPrivateWord(row, fact))?.value;

function keptMessage(row: OfCase, id: string): Found | undefined {
  const text = keptWords(row);
  if (text === undefined) return undefined;
  const at = row.opened_at.toISOString();
  return {
    ...{ mediaIds: [], fileIds: [], broadcastId: null, media: [], files: [], isGone: true },
    texts: async () => [{ id, at, by: '', text, isNamed: true }],
  };
}

async function messageOf(db: Executor, row: OfCase, id: string): Promise<Found | undefined> {
  const message = await findAnyMessage(db, id);
  if (!message) return keptMessage(row, id);
  const media = message.files.flatMap((file) => (file.media === null ? [] : { facts: file.media, alt: '' }));
  const files = message.files.flatMap(({ file }) => file ?? []);
  return {
    mediaIds: media.map(({ facts }) => facts.id),
    fileIds: files.map((file) => file.id),
    broadcastId: message.broadcast_id,
    media,
    files: files.map((file) => ({
      ...{ id: file.id, name: file.file_name, type: file.content_type, byteSize: file.byte_size },
      isVoice: file.kind === 'audio',
      url: fileUrl(file.id, DESK_TABLE),
    })),
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
        // An unsent message has lost its text.
        text: one.text || (one.id === id && keptWords(row)) || (one.type === 'text' ? '' : one.type),
        isNamed: one.id === id,
      }));
    },
  };
}

export async function thingOf(db: Executor, row: OfCase): Promise<Found | undefined> {
  const { subject, subject_id: id } = row;
  if (id === null) return undefined;
  if (subject === 'post') return postOf(db, id);
  if (subject === 'profile') return profileOf(db, row);
  return subject === 'message' ? messageOf(db, row, id) : undefined;
}

/** Shows the content of a case to an operator. Throws NOT_FOUND. */
export async function lookAt(ctx: Context, actor: Actor, caseId: string): Promise<Thing> {
  const row = await findCase(ctx.db, caseId);
  if (!row) throw new AppError('NOT_FOUND');
  await requireReads(ctx.db, actor, row);
  const thing = await thingOf(ctx.db, row);
  if (!thing) throw new AppError('NOT_FOUND');
  return show(ctx, actor, thing, {
    ...{ act: 'case.look', subjectKind: 'case', subjectId: caseId },
    facts: { reference: row.reference, what: row.subject ?? '' },
  });
}

/** Shows a post to an operator. Throws NOT_FOUND. */
export async function lookAtPost(ctx: Context, actor: Actor, postId: string): Promise<Thing> {
  const thing = await postOf(ctx.db, postId);
  if (!thing) throw new AppError('NOT_FOUND');
  return show(ctx, actor, thing, { act: 'post.look', subjectKind: 'post', subjectId: postId });
}

async function show(ctx: Context, actor: Actor, thing: Found, look: Omit<Act, 'operatorId'>): Promise<Thing> {
  const { shown = [], ids = [] } = thing.profiles?.(ctx.clock.now().toISOString()) ?? {};
  await ctx.db.transaction(async (tx) => {
    await openFor(ctx, tx, actor.userId, [...thing.mediaIds, ...thing.fileIds, ...ids]);
    await noteAct(ctx, tx, { operatorId: actor.userId, ...look });
  });
  return {
    texts: await thing.texts(),
    media: thing.media.map(({ facts, alt }) => presentPostMedia({ ...facts, is_public: false }, alt, true, DESK_TABLE)),
    files: thing.files,
    profiles: shown,
  };
}

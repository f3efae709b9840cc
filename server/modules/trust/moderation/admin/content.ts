/** Each view is logged and opens the files to that operator for one hour. */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Executor } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { presentPostMedia, REVIEW_ASSET_TYPE } from '../../../content/media/index.ts';
import { findAnyPost } from '../../../content/posts/index.ts';
import { findUserSummaries } from '../../../identity/accounts/index.ts';
import { type AuditAction, logAction } from '../../../identity/audit-log/index.ts';
import { findAnyMessage, listMessagesAround, toFileUrl } from '../../../messaging/chat/index.ts';
import { requireReadAccess } from '../access.ts';
import { type CaseRow, findCase, type Snapshot } from '../store.ts';
import type { CaseContentView, EvidenceContent } from './content-view.ts';
import { grantEvidenceAccess } from './evidence-access.ts';
import { findProfileContent } from './profile-content.ts';

const CONTEXT_MESSAGES = 5;

async function findPostContent(db: Executor, id: string): Promise<EvidenceContent | undefined> {
  const post = await findAnyPost(db, id);
  if (!post) return undefined;
  const at = post.created_at.toISOString();
  const text = { id, at, author: post.username, text: post.caption, isReported: true };
  return {
    mediaIds: post.media.map((media) => media.id),
    fileIds: [],
    broadcastId: null,
    media: post.media.map(({ alt, ...metadata }) => ({ metadata, alt })),
    files: [],
    isDeleted: post.removed_at !== null,
    texts: async () => (post.caption === '' ? [] : [text]),
  };
}

/** Private text is shown only together with the content. */
export function isPrivateText({ subject }: Pick<CaseRow, 'subject'>, { name }: Snapshot[number]): boolean {
  return subject === 'message' && name === 'Text';
}

type ContentCase = Pick<
  CaseRow,
  'id' | 'subject' | 'subject_id' | 'user_id' | 'decision_id' | 'snapshot' | 'opened_at'
>;

const findSnapshotText = (row: ContentCase) => row.snapshot.find((entry) => isPrivateText(row, entry))?.value;

function toSnapshotMessage(row: ContentCase, id: string): EvidenceContent | undefined {
  const text = findSnapshotText(row);
  if (text === undefined) return undefined;
  const at = row.opened_at.toISOString();
  return {
    ...{ mediaIds: [], fileIds: [], broadcastId: null, media: [], files: [], isDeleted: true },
    texts: async () => [{ id, at, author: '', text, isReported: true }],
  };
}

async function findMessageContent(db: Executor, row: ContentCase, id: string): Promise<EvidenceContent | undefined> {
  const message = await findAnyMessage(db, id);
  if (!message) return toSnapshotMessage(row, id);
  const media = message.files.flatMap((file) => (file.media === null ? [] : { metadata: file.media, alt: '' }));
  const files = message.files.flatMap(({ file }) => file ?? []);
  return {
    mediaIds: media.map(({ metadata }) => metadata.id),
    fileIds: files.map((file) => file.id),
    broadcastId: message.broadcast_id,
    media,
    files: files.map((file) => ({
      ...{ id: file.id, name: file.file_name, type: file.content_type, byteSize: file.byte_size },
      isVoice: file.kind === 'audio',
      url: toFileUrl(file.id, REVIEW_ASSET_TYPE),
    })),
    isDeleted: message.unsent_at !== null,
    texts: async () => {
      const [context, usersById] = await Promise.all([
        listMessagesAround(db, message, CONTEXT_MESSAGES),
        findUserSummaries(db, [message.creator_id, message.fan_id]),
      ]);
      return context.map((contextMessage) => ({
        id: contextMessage.id,
        at: contextMessage.created_at.toISOString(),
        author:
          usersById.get(contextMessage.is_from_creator ? contextMessage.creator_id : contextMessage.fan_id)?.username ??
          '',
        // An unsent message has lost its text.
        text:
          contextMessage.text ||
          (contextMessage.id === id && findSnapshotText(row)) ||
          (contextMessage.type === 'text' ? '' : contextMessage.type),
        isReported: contextMessage.id === id,
      }));
    },
  };
}

export async function findContent(db: Executor, row: ContentCase): Promise<EvidenceContent | undefined> {
  const { subject, subject_id: id } = row;
  if (id === null) return undefined;
  if (subject === 'post') return findPostContent(db, id);
  if (subject === 'profile') return findProfileContent(db, row);
  return subject === 'message' ? findMessageContent(db, row, id) : undefined;
}

/** Shows the content of a case to an operator. Throws NOT_FOUND. */
export async function viewCaseContent(ctx: Context, actor: Actor, caseId: string): Promise<CaseContentView> {
  const row = await findCase(ctx.db, caseId);
  if (!row) throw new AppError('NOT_FOUND');
  await requireReadAccess(ctx.db, actor, row);
  const content = await findContent(ctx.db, row);
  if (!content) throw new AppError('NOT_FOUND');
  return revealContent(ctx, actor, content, {
    ...{ action: 'case.view', subjectKind: 'case', subjectId: caseId },
    details: { reference: row.reference, subject: row.subject ?? '' },
  });
}

/** Shows a post to an operator. Throws NOT_FOUND. */
export async function viewPostContent(ctx: Context, actor: Actor, postId: string): Promise<CaseContentView> {
  const content = await findPostContent(ctx.db, postId);
  if (!content) throw new AppError('NOT_FOUND');
  return revealContent(ctx, actor, content, { action: 'post.view', subjectKind: 'post', subjectId: postId });
}

async function revealContent(
  ctx: Context,
  actor: Actor,
  content: EvidenceContent,
  auditEntry: Omit<AuditAction, 'operatorId'>,
): Promise<CaseContentView> {
  const { shown = [], ids = [] } = content.profiles?.(ctx.clock.now().toISOString()) ?? {};
  await ctx.db.transaction(async (tx) => {
    await grantEvidenceAccess(ctx, tx, actor.userId, [...content.mediaIds, ...content.fileIds, ...ids]);
    await logAction(ctx, tx, { operatorId: actor.userId, ...auditEntry });
  });
  return {
    texts: await content.texts(),
    media: content.media.map(({ metadata, alt }) =>
      presentPostMedia({ ...metadata, is_public: false }, alt, true, REVIEW_ASSET_TYPE),
    ),
    files: content.files,
    profiles: shown,
  };
}

import type { MessageType } from '@stagedoor/contract/messaging/messages.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, SqlStatement } from '../../../../platform/database/db.ts';
import { lockOwnMedia, type MediaKind, markMediaUsed } from '../../../content/media/index.ts';
import { attachmentsSql, type MessageAttachment, parseFiles } from '../rows.ts';
import * as texts from '../texts.ts';

export type MessageFiles = { type: MessageType; mediaIds: readonly string[]; fileIds: readonly string[] };

const TYPES: Readonly<Record<MediaKind, MessageType>> = { picture: 'image', video: 'video', audio: 'audio' };
const FIND_USED_IN_CHAT: SqlStatement = {
  name: 'chat-media-in-chat',
  text: 'select distinct media_id as id from chat_attachments where media_id = any ($1::uuid[])',
};

/**
 * Media may still be processed, and media of earlier messages can be used again. Throws NOT_FOUND for other users'
 * media, CONFLICT for media that failed or are used in a post, VALIDATION for duplicates.
 */
export async function chooseMedia(
  ctx: Context,
  tx: DbTransaction,
  ownerId: string,
  ids: readonly string[],
): Promise<MessageFiles> {
  if (new Set(ids).size < ids.length) throw createFieldError('mediaIds', texts.sameFileAddedTwice);
  const rows = new Map((await lockOwnMedia(tx, ownerId, ids)).map((row) => [row.id, row]));
  const used = [...rows.values()].flatMap(({ id, isUsed }) => (isUsed ? [id] : []));
  const inChat = new Set(
    used.length === 0 ? [] : (await tx.run<{ id: string }>(FIND_USED_IN_CHAT, [used])).map(({ id }) => id),
  );
  let type: MessageType | undefined;
  for (const id of ids) {
    const row = rows.get(id);
    if (!row || row.status === 'uploading') throw new AppError('NOT_FOUND', { message: texts.attachedFileMissing });
    if (row.status === 'failed') throw new AppError('CONFLICT', { message: row.failure ?? texts.fileProcessingFailed });
    if (row.isUsed && !inChat.has(id)) throw new AppError('CONFLICT', { message: texts.fileUsedInPost });
    type ??= TYPES[row.kind];
  }
  if (used.length < ids.length) await markMediaUsed(tx, ids, ctx.clock.now());
  return { type: type ?? 'image', mediaIds: ids, fileIds: [] };
}

const INSERT_ATTACHMENTS: SqlStatement = {
  name: 'chat-attach',
  text: `with inserted as (insert into chat_attachments (holder_id, position, media_id, file_id)
      select $1, row_number() over () - 1, m, f from unnest($2::uuid[], $3::uuid[]) as x (m, f) returning position, media_id, file_id)
    select ${attachmentsSql('inserted')} as files`,
};

export async function attachFiles(
  tx: DbTransaction,
  holderId: string,
  { mediaIds, fileIds }: MessageFiles,
): Promise<MessageAttachment[]> {
  const media = [...mediaIds, ...fileIds.map(() => null)];
  const files = [...mediaIds.map(() => null), ...fileIds];
  const [row] = await tx.run<{ files: string | null }>(INSERT_ATTACHMENTS, [holderId, media, files]);
  return parseFiles(row?.files ?? null);
}

/** Binds chat's routes. */
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { conversationId, userId } from '@stagedoor/contract/atoms/ids.ts';
import * as contract from '@stagedoor/contract/chat.ts';
import * as terms from '@stagedoor/contract/chat-terms.ts';
import { BROADCAST_KEY, clientId, messageCaption, messagePrice } from '@stagedoor/contract/messages.ts';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { findOwnMedia, grantFiles, grantMedia } from '../media/index.ts';
import { registerVisibility } from '../presence/index.ts';
import { guardTips } from '../wallet/index.ts';
import { maySeeFile } from './access.ts';
import { chooseMedia } from './attachments.ts';
import { broadcastThread } from './broadcast-thread.ts';
import * as conversations from './conversations.ts';
import { chooseTaken, discardTaken, fileKey, readForm } from './forms.ts';
import { listen, markAndTell } from './live.ts';
import { registerMediaUses } from './media-uses.ts';
import { listenForReturns } from './missed.ts';
import { closeOnce, defineJobs, openOnce } from './once.ts';
import { CHAT_TABLE } from './present.ts';
import * as purchases from './purchases.ts';
import { registerReactions } from './reactions.ts';
import { requireDestination, requireMayPrice, sendFiles, sendText } from './send.ts';
import * as settings from './settings.ts';
import * as thread from './thread.ts';
import { visibility } from './visibility.ts';

/** The fields of a form with files; what is absent is as in the JSON call. */
export const formFields = z.object({
  conversationId: z.optional(conversationId),
  receiverId: z.optional(userId),
  clientId: z.optional(clientId),
  text: z._default(messageCaption, ''),
  price: z._default(z.pipe(z.coerce.number(), messagePrice), 0),
  isViewOnce: z._default(z.stringbool(), false),
});

/** Reads a form's fields by a schema. Throws VALIDATION, one complaint a field. */
export function parseFields<S extends z.ZodMiniType>(schema: S, fields: ReadonlyMap<string, string>): z.output<S> {
  const parsed = z.safeParse(schema, Object.fromEntries(fields));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue?.path.map(String).join('.') || 'file', issue?.message ?? 'Please check this.');
}

async function sendForm(ctx: Context, actor: Actor, request: FastifyRequest, operationId: string) {
  const { fields, taken } = await readForm(ctx, request, actor.userId, async (given) => {
    const wish = parseFields(formFields, given);
    requireDestination(wish);
    requireMayPrice(actor, wish.price);
    if (wish.conversationId) await conversations.viewConversation(ctx, actor, wish.conversationId);
  });
  const wish = parseFields(formFields, fields);
  try {
    return await sendFiles(ctx, actor, { ...wish, clientId: wish.clientId ?? operationId }, (tx) =>
      chooseTaken(ctx, tx, actor.userId, taken),
    );
  } catch (error) {
    await discardTaken(ctx, taken);
    throw error;
  }
}

function bindSending({ ctx, bind }: Server): void {
  bind(contract.sendText, ({ actor, body, operationId }) =>
    sendText(ctx, actor, { ...body, clientId: body.clientId ?? operationId }),
  );
  bind(contract.sendMedia, ({ actor, body, operationId }) =>
    sendFiles(ctx, actor, { ...body, clientId: body.clientId ?? operationId }, (tx) =>
      chooseMedia(ctx, tx, actor.userId, body.mediaIds),
    ),
  );
  bind(contract.sendMediaMessage, ({ actor, request, operationId }) => sendForm(ctx, actor, request, operationId));
  bind(contract.chatUpload, async ({ actor, params }) => {
    const row = await findOwnMedia(ctx, actor, params.id);
    if (!row) throw new AppError('NOT_FOUND');
    const status = row.status === 'uploading' ? 'processing' : row.status;
    return {
      id: row.id,
      kind: row.kind,
      status,
      failure: row.failure,
      fileName: row.file_name,
      byteSize: row.byte_size,
    };
  });
  bind(contract.updateMessageStatus, async ({ actor, body }) => {
    await conversations.viewConversation(ctx, actor, body.conversationId);
    await markAndTell(ctx, actor, body);
    return { success: true };
  });
}

function bindConversations({ ctx, bind }: Server): void {
  bind(contract.conversationList, ({ actor, query }) => conversations.listConversations(ctx, actor, query));
  bind(contract.getConversation, ({ actor, params }) => conversations.getOne(ctx, actor, params.id));
  bind(contract.conversationInfo, ({ actor, params }) => conversations.infoOf(ctx, actor, params.id));
  bind(contract.unreadCount, ({ actor }) => conversations.countUnread(ctx, actor));
  bind(contract.deleteConversation, async ({ actor, params }) => {
    await settings.clearConversation(ctx, actor, params.id);
    return { success: true };
  });
  bind(terms.conversationResponse, async ({ actor, params, body }) => {
    const id = await settings.answerRequest(ctx, actor, params.customerId, body.status);
    return { success: true, data: await conversations.viewConversation(ctx, actor, id) };
  });
  bind(terms.blockUnblockCustomer, async ({ actor, params, body }) => ({
    success: true,
    isBlocked: await settings.setBlocked(ctx, actor, params.customerId, body?.isBlocked),
  }));
  bind(terms.blockUnblockCreator, async ({ actor, params, body }) => ({
    success: true,
    isBlocked: await settings.setBlocked(ctx, actor, params.creatorId, body?.isBlocked),
  }));
  bind(terms.muteUnmute, async ({ actor, params, body }) => {
    await settings.setMuted(ctx, actor, params.id, body.isMuted);
    return { success: true, isMuted: body.isMuted };
  });
  bind(terms.saveNote, async ({ actor, params, body }) => ({
    success: true,
    note: await settings.writeNote(ctx, actor, params.id, body.note),
  }));
  bind(terms.getChatSettings, ({ actor }) => settings.getRule(ctx, actor));
  bind(terms.updateChatSettings, ({ actor, body }) => settings.setRule(ctx, actor, body.rule));
}

function bindThreads({ ctx, bind }: Server): void {
  bind(contract.messageList, ({ actor, params, query }) =>
    params.id === BROADCAST_KEY
      ? broadcastThread(ctx, actor, query)
      : thread.listMessages(ctx, actor, params.id, query),
  );
  bind(contract.searchMessages, ({ actor, params, query }) => thread.findInThread(ctx, actor, params.id, query));
  bind(contract.sharedMedia, ({ actor, params, query }) => thread.listShared(ctx, actor, params.id, query));
  bind(contract.deleteMessage, async ({ actor, params, query }) => {
    await thread.removeMessage(ctx, actor, params, query.isUnsend);
    return { success: true };
  });
  bind(contract.purchaseChatMedia, ({ actor, params, body, operationId }) =>
    purchases.buyMessage(ctx, actor, params.id, { price: body?.price, operationId }),
  );
  bind(contract.openViewOnce, async ({ actor, params }) => ({
    success: true,
    data: await openOnce(ctx, actor, params.id),
  }));
  bind(contract.closeViewOnce, async ({ actor, params }) => ({
    success: true,
    data: await closeOnce(ctx, actor, params.id),
  }));
  bind(contract.listPurchasedChatMedia, ({ actor, query }) => purchases.listBought(ctx, actor, query));
  bind(contract.hidePurchasedChatMedia, async ({ actor, params }) => {
    await purchases.setBoughtHidden(ctx, actor, params.id, true);
    return { success: true };
  });
  bind(contract.restorePurchasedChatMedia, async ({ actor, params }) => {
    await purchases.setBoughtHidden(ctx, actor, params.id, false);
    return { success: true };
  });
}

/** What hangs in messages is served to those whom it is open to: media by the media room, files as they came. */
function grant(ctx: Context): void {
  grantMedia(ctx, CHAT_TABLE, (viewer, mediaId) => maySeeFile(ctx, viewer, 'media_id', mediaId), { isFleeting: true });
  grantFiles(ctx, CHAT_TABLE, async (viewer, key) => {
    const id = /^d\/([0-9a-f-]{36})$/.exec(key)?.[1];
    if (id === undefined || !(await maySeeFile(ctx, viewer, 'file_id', id))) return undefined;
    const row = await ctx.db.query.selectFrom('chat_files').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const isVoice = row.kind === 'audio';
    return { key: fileKey(id), contentType: row.content_type, downloadName: isVoice ? undefined : row.file_name };
  });
}

export function register(server: Server): void {
  const { ctx } = server;
  grant(ctx);
  registerMediaUses(ctx);
  registerVisibility(ctx, visibility(ctx));
  guardTips(ctx, 'chat', (fanId, creatorId) => settings.requireUnblocked(ctx, fanId, creatorId));
  defineJobs(ctx);
  registerReactions(ctx);
  listen(ctx);
  listenForReturns(ctx);
  bindSending(server);
  bindConversations(server);
  bindThreads(server);
}

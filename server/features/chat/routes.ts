import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { idsOf } from '@stagedoor/contract/atoms/ids.ts';
import * as contract from '@stagedoor/contract/chat.ts';
import * as terms from '@stagedoor/contract/chat-terms.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messages.ts';
import * as seems from '@stagedoor/contract/seems-blocked.ts';
import type { FastifyRequest } from 'fastify';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
import { findOwnMedia, grantFiles, grantMedia } from '../media/index.ts';
import { registerVisibility } from '../presence/index.ts';
import { guardTips } from '../wallet/index.ts';
import { maySeeFile } from './access.ts';
import { registerChatParts } from './archive.ts';
import { registerBroadcasts } from './broadcast/routes.ts';
import { broadcastThread } from './broadcast/thread.ts';
import { registerChatClosing } from './closing.ts';
import * as conversations from './inbox/conversations.ts';
import { seemBlocked } from './inbox/seems.ts';
import * as settings from './inbox/settings.ts';
import { visibility } from './inbox/visibility.ts';
import { listenForReturns } from './live/missed.ts';
import { listen, markAndTell } from './live/tell.ts';
import { fileIdOf, findAnyFile } from './moderation.ts';
import { chooseMedia } from './outbox/attachments.ts';
import { formFields, parseFields } from './outbox/form-fields.ts';
import { chooseTaken, discardTaken, readForm } from './outbox/forms.ts';
import { requireDestination, requireMayPrice, sendFiles, sendText } from './outbox/send.ts';
import { CHAT_TABLE } from './present.ts';
import { registerReactions } from './reactions.ts';
import { registerMediaUses } from './thread/media-uses.ts';
import * as purchases from './thread/purchases.ts';
import * as thread from './thread/thread.ts';
import { closeOnce, defineJobs, openOnce } from './thread/view-once.ts';
import { noteViewed } from './thread/viewed.ts';

async function sendForm(ctx: Context, actor: Actor, request: FastifyRequest, operationId: string) {
  const { fields, taken } = await readForm(ctx, request, actor.userId, async (given) => {
    const wish = parseFields(formFields, given);
    requireDestination(wish);
    await requireMayPrice(ctx, actor, wish.price);
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
  bind(seems.seemBlocked, async ({ actor, query }) => ({ ids: await seemBlocked(ctx, actor, idsOf(query.ids)) }));
  bind(terms.blockedPeople, ({ actor, query }) => settings.listBlocked(ctx, actor, query));
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
  bind(contract.viewChatMedia, async ({ actor, params }) => ({
    success: true,
    data: await noteViewed(ctx, actor, params.id),
  }));
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

function grant(ctx: Context): void {
  grantMedia(ctx, CHAT_TABLE, (viewer, mediaId) => maySeeFile(ctx, viewer, 'media_id', mediaId), { isFleeting: true });
  grantFiles(ctx, CHAT_TABLE, async (viewer, key) => {
    const id = fileIdOf(key);
    if (id === undefined || !(await maySeeFile(ctx, viewer, 'file_id', id))) return undefined;
    const found = await findAnyFile(ctx.db, id);
    return found?.isWithheld ? undefined : found?.file;
  });
}

export function register(server: Server): void {
  const { ctx } = server;
  registerChatClosing(ctx);
  registerChatParts(ctx);
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
  registerBroadcasts(server);
}

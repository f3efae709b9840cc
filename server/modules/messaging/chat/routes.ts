import * as banEvasion from '@stagedoor/contract/identity/ban-evasion.ts';
import * as contract from '@stagedoor/contract/messaging/chat.ts';
import * as chatSettings from '@stagedoor/contract/messaging/chat-settings.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { parseIdList } from '@stagedoor/contract/shared/ids.ts';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findOwnMedia, registerFileGrant, registerMediaGrant } from '../../content/media/index.ts';
import { registerTipGuard } from '../../finance/wallet/index.ts';
import { registerVisibility } from '../../identity/presence/index.ts';
import { canViewFile } from './access.ts';
import { registerChatDeletion } from './account-deletion.ts';
import { registerBroadcastRoutes } from './broadcast/routes.ts';
import { listBroadcastMessages } from './broadcast/thread.ts';
import { registerChatExport } from './data-export.ts';
import { registerChatEventHandlers } from './handlers.ts';
import { findBanEvasionHints } from './inbox/ban-evasion.ts';
import * as conversations from './inbox/conversations.ts';
import * as settings from './inbox/settings.ts';
import { createVisibility } from './inbox/visibility.ts';
import { registerCatchUp } from './live/catch-up.ts';
import { markAndEmit, registerChatSignals } from './live/emit.ts';
import { findAnyFile, parseFileId } from './moderation.ts';
import { chooseMedia } from './outbox/attachments.ts';
import { formFields, parseFields } from './outbox/form-fields.ts';
import { claimUploads, discardUploads, readForm } from './outbox/forms.ts';
import { requireCanSetPrice, requireDestination, sendFiles, sendText } from './outbox/send.ts';
import { CHAT_TABLE } from './present.ts';
import { registerMediaUses } from './thread/media-uses.ts';
import * as purchases from './thread/purchases.ts';
import * as thread from './thread/thread.ts';
import { closeViewOnceMessage, defineViewOnceJobs, openViewOnceMessage } from './thread/view-once.ts';
import { markPurchaseViewed } from './thread/viewed.ts';

async function sendForm(ctx: Context, actor: Actor, request: FastifyRequest, operationId: string) {
  const { fields, uploads } = await readForm(ctx, request, actor.userId, async (values) => {
    const input = parseFields(formFields, values);
    requireDestination(input);
    await requireCanSetPrice(ctx, actor, input.price);
    if (input.conversationId) await conversations.viewConversation(ctx, actor, input.conversationId);
  });
  const input = parseFields(formFields, fields);
  try {
    return await sendFiles(ctx, actor, { ...input, clientId: input.clientId ?? operationId }, (tx) =>
      claimUploads(ctx, tx, actor.userId, uploads),
    );
  } catch (error) {
    await discardUploads(ctx, uploads);
    throw error;
  }
}

function bindSending({ ctx, bind }: ModuleHost): void {
  bind(contract.sendText, ({ actor, body, operationId }) =>
    sendText(ctx, actor, { ...body, clientId: body.clientId ?? operationId }),
  );
  bind(contract.sendMedia, ({ actor, body, operationId }) =>
    sendFiles(ctx, actor, { ...body, clientId: body.clientId ?? operationId }, (tx) =>
      chooseMedia(ctx, tx, actor.userId, body.mediaIds),
    ),
  );
  bind(contract.sendMediaMessage, ({ actor, request, operationId }) => sendForm(ctx, actor, request, operationId));
  bind(contract.getChatUpload, async ({ actor, params }) => {
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
    await markAndEmit(ctx, actor, body);
    return { success: true };
  });
}

function bindConversations({ ctx, bind }: ModuleHost): void {
  bind(contract.getConversationList, ({ actor, query }) => conversations.listConversations(ctx, actor, query));
  bind(contract.getConversation, ({ actor, params }) => conversations.loadConversation(ctx, actor, params.id));
  bind(contract.getConversationInfo, ({ actor, params }) => conversations.loadConversationInfo(ctx, actor, params.id));
  bind(contract.countUnreadMessages, ({ actor }) => conversations.viewUnreadCounts(ctx, actor));
  bind(contract.deleteConversation, async ({ actor, params }) => {
    await settings.clearConversation(ctx, actor, params.id);
    return { success: true };
  });
  bind(chatSettings.respondToChatRequest, async ({ actor, params, body }) => {
    const id = await settings.respondToRequest(ctx, actor, params.customerId, body.status);
    return { success: true, data: await conversations.viewConversation(ctx, actor, id) };
  });
  bind(chatSettings.blockUnblockCustomer, async ({ actor, params, body }) => ({
    success: true,
    isBlocked: await settings.setBlocked(ctx, actor, params.customerId, body?.isBlocked),
  }));
  bind(chatSettings.blockUnblockCreator, async ({ actor, params, body }) => ({
    success: true,
    isBlocked: await settings.setBlocked(ctx, actor, params.creatorId, body?.isBlocked),
  }));
  bind(banEvasion.listBanEvasionHints, async ({ actor, query }) => ({
    ids: await findBanEvasionHints(ctx, actor, parseIdList(query.ids)),
  }));
  bind(chatSettings.listBlockedUsers, ({ actor, query }) => settings.listBlocked(ctx, actor, query));
  bind(chatSettings.muteUnmuteConversation, async ({ actor, params, body }) => {
    await settings.setConversationMuted(ctx, actor, params.id, body.isMuted);
    return { success: true, isMuted: body.isMuted };
  });
  bind(chatSettings.saveConversationNote, async ({ actor, params, body }) => ({
    success: true,
    note: await settings.saveNote(ctx, actor, params.id, body.note),
  }));
  bind(chatSettings.getChatSettings, ({ actor }) => settings.getChatRule(ctx, actor));
  bind(chatSettings.updateChatSettings, ({ actor, body }) => settings.updateChatRule(ctx, actor, body));
}

function bindThreads({ ctx, bind }: ModuleHost): void {
  bind(contract.getMessageList, ({ actor, params, query }) =>
    params.id === BROADCAST_KEY
      ? listBroadcastMessages(ctx, actor, query)
      : thread.listMessages(ctx, actor, params.id, query),
  );
  bind(contract.searchMessages, ({ actor, params, query }) => thread.searchThread(ctx, actor, params.id, query));
  bind(contract.listSharedMedia, ({ actor, params, query }) => thread.listShared(ctx, actor, params.id, query));
  bind(contract.deleteMessage, async ({ actor, params, query }) => {
    await thread.removeMessage(ctx, actor, params, query.isUnsend);
    return { success: true };
  });
  bind(contract.purchaseChatMedia, ({ actor, params, body, operationId }) =>
    purchases.buyMessage(ctx, actor, params.id, { price: body?.price, operationId }),
  );
  bind(contract.viewChatMedia, async ({ actor, params }) => ({
    success: true,
    data: await markPurchaseViewed(ctx, actor, params.id),
  }));
  bind(contract.openViewOnce, async ({ actor, params }) => ({
    success: true,
    data: await openViewOnceMessage(ctx, actor, params.id),
  }));
  bind(contract.closeViewOnce, async ({ actor, params }) => ({
    success: true,
    data: await closeViewOnceMessage(ctx, actor, params.id),
  }));
  bind(contract.listPurchasedChatMedia, ({ actor, query }) => purchases.listPurchases(ctx, actor, query));
  bind(contract.hidePurchasedChatMedia, async ({ actor, params }) => {
    await purchases.setPurchaseHidden(ctx, actor, params.id, true);
    return { success: true };
  });
  bind(contract.restorePurchasedChatMedia, async ({ actor, params }) => {
    await purchases.setPurchaseHidden(ctx, actor, params.id, false);
    return { success: true };
  });
}

function registerMediaGrants(ctx: Context): void {
  registerMediaGrant(ctx, CHAT_TABLE, (viewer, mediaId) => canViewFile(ctx, viewer, 'media_id', mediaId), {
    mustRevalidate: true,
  });
  registerFileGrant(ctx, CHAT_TABLE, async (viewer, key) => {
    const id = parseFileId(key);
    if (id === undefined || !(await canViewFile(ctx, viewer, 'file_id', id))) return undefined;
    const stored = await findAnyFile(ctx.db, id);
    return stored?.isTakenDown ? undefined : stored?.file;
  });
}

export function register(server: ModuleHost): void {
  const { ctx } = server;
  registerChatDeletion(ctx);
  registerChatExport(ctx);
  registerMediaGrants(ctx);
  registerMediaUses(ctx);
  registerVisibility(ctx, createVisibility(ctx));
  registerTipGuard(ctx, 'chat', (fanId, creatorId) => settings.requireUnblocked(ctx, fanId, creatorId));
  defineViewOnceJobs(ctx);
  registerChatEventHandlers(ctx);
  registerChatSignals(ctx);
  registerCatchUp(ctx);
  bindSending(server);
  bindConversations(server);
  bindThreads(server);
  registerBroadcastRoutes(server);
}

import { getConversationInfo } from '@stagedoor/contract/messaging/chat.ts';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { redirect } from 'react-router';
import { conversationListQuery, conversationQuery, threadQuery } from '../../modules/messaging/chat/cache.ts';
import { parseInboxTab } from '../../modules/messaging/chat/inbox/inbox-tab.ts';
import { unreadQuery } from '../../modules/messaging/chat/inbox/unread.ts';
import { ApiError } from '../../platform/api-error.ts';
import { awaitOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery } from '../../platform/query.ts';

export const infoQuery = (userId: string) => apiQuery(getConversationInfo, { params: { id: userId } });
const createNotFound = () => new Response(null, { status: 404 });

export function loadChat(side: ChatSide): PageLoad<{ now: string }> {
  return async ({ client, url }) => {
    const tab = parseInboxTab(url.searchParams, side);
    const lists = tab === 'callHistoryList' ? [] : [client.ensureQueryData(conversationListQuery(tab))];
    await awaitOnServer(client.ensureQueryData(unreadQuery()), ...lists);
    return { now: new Date().toISOString() };
  };
}

/**
 * Loads the pane next to the inbox: empty, or a new thread with a user. If the conversation already exists, it is
 * opened.
 */
export function loadNewThread(base: string): PageLoad<{ withId: string | undefined }> {
  return async ({ client, url }) => {
    const withId = url.searchParams.get('with') ?? undefined;
    if (withId === undefined) return { withId };
    if (!isId(withId)) throw createNotFound();
    const info = await client.fetchQuery({ ...infoQuery(withId), staleTime: 0 }).catch((error: unknown) => {
      // A creator has no access to a fan before there is a conversation, such as shortly after a first call.
      const isUnknownFan = base === PATHS.creatorChat && error instanceof ApiError && error.code === 'NOT_FOUND';
      throw isUnknownFan ? redirect(base) : error;
    });
    if (info.conversationId) throw redirect(`${base}/${info.conversationId}`);
    return { withId };
  };
}

export function loadThread(side: ChatSide): PageLoad<null> {
  return async ({ client, params }) => {
    const id = params.conversationId ?? '';
    if (id === BROADCAST_KEY && side === 'creator') {
      await awaitOnServer(client.ensureQueryData(threadQuery(id)));
      return null;
    }
    if (!isId(id)) throw createNotFound();
    await awaitOnServer(client.ensureQueryData(conversationQuery(id)), client.ensureQueryData(threadQuery(id)));
    return null;
  };
}

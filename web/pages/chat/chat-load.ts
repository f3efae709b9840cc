import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { conversationInfo } from '@stagedoor/contract/chat.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messages.ts';
import { redirect } from 'react-router';
import { conversationQuery, listQuery, threadQuery } from '../../features/chat/cache.ts';
import { inboxTab } from '../../features/chat/inbox/inbox-tab.ts';
import { unreadQuery } from '../../features/chat/inbox/unread.ts';
import { begin, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery } from '../../kernel/query.ts';

export const infoQuery = (userId: string) => apiQuery(conversationInfo, { params: { id: userId } });
const notFound = () => new Response(null, { status: 404 });

export function loadRoom(side: Side): PageLoad<{ now: string }> {
  return async ({ client, url }) => {
    const tab = inboxTab(url.searchParams, side);
    const lists = tab === 'callHistoryList' ? [] : [client.ensureQueryData(listQuery(tab))];
    await begin(client.ensureQueryData(unreadQuery()), ...lists);
    return { now: new Date().toISOString() };
  };
}

/**
 * Loads the pane next to the inbox: empty, or a new thread with a user. If the conversation already exists, it is
 * opened.
 */
export function loadBeginning(base: string): PageLoad<{ withId: string | undefined }> {
  return async ({ client, url }) => {
    const withId = url.searchParams.get('with') ?? undefined;
    if (withId === undefined) return { withId };
    if (!isId(withId)) throw notFound();
    const info = await client.fetchQuery({ ...infoQuery(withId), staleTime: 0 });
    if (info.conversationId) throw redirect(`${base}/${info.conversationId}`);
    return { withId };
  };
}

export function loadThread(side: Side): PageLoad<null> {
  return async ({ client, params }) => {
    const id = params.conversationId ?? '';
    if (id === BROADCAST_KEY && side === 'creator') {
      await begin(client.ensureQueryData(threadQuery(id)));
      return null;
    }
    if (!isId(id)) throw notFound();
    await begin(client.ensureQueryData(conversationQuery(id)), client.ensureQueryData(threadQuery(id)));
    return null;
  };
}

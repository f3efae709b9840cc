/** The unread count that every page uses (row E9). */
import { countUnreadMessages } from '@stagedoor/contract/messaging/chat.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../../platform/query.ts';

export const unreadQuery = () => apiQuery(countUnreadMessages, {});

export type UnreadCounts = { count: number; conversationCount: number; requestCount: number; isMore: boolean };
export const NO_UNREAD: UnreadCounts = { count: 0, conversationCount: 0, requestCount: 0, isMore: false };

export function useUnread(isEnabled: boolean): UnreadCounts {
  return useQuery({ ...unreadQuery(), enabled: isEnabled }).data ?? NO_UNREAD;
}

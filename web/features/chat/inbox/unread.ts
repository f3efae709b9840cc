/** The unread count that every page uses (row E9). */
import { unreadCount } from '@stagedoor/contract/chat.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../kernel/query.ts';

export const unreadQuery = () => apiQuery(unreadCount, {});

export type Unread = { count: number; conversationCount: number; requestCount: number; isMore: boolean };
export const NOTHING_UNREAD: Unread = { count: 0, conversationCount: 0, requestCount: 0, isMore: false };

export function useUnread(isOn: boolean): Unread {
  return useQuery({ ...unreadQuery(), enabled: isOn }).data ?? NOTHING_UNREAD;
}

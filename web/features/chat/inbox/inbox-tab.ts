/** The inbox's tabs in its address. */
import type { Side } from '@stagedoor/contract/messages.ts';

/** Row E1's names of the tabs, and a creator's requests. */
export const INBOX_TABS = ['chat', 'unread', 'callHistoryList', 'requests'] as const;
export type InboxTab = (typeof INBOX_TABS)[number];

export function inboxTab(search: URLSearchParams, side: Side): InboxTab {
  const named = INBOX_TABS.find((tab) => tab === search.get('tab')) ?? 'chat';
  return named === 'requests' && side !== 'creator' ? 'chat' : named;
}

import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';

/** Tab names in the URL: those of the specification and `requests` for creators (row E1). */
export const INBOX_TABS = ['chat', 'unread', 'callHistoryList', 'requests'] as const;
export type InboxTab = (typeof INBOX_TABS)[number];

export function parseInboxTab(search: URLSearchParams, side: ChatSide): InboxTab {
  const requestedTab = INBOX_TABS.find((tab) => tab === search.get('tab')) ?? 'chat';
  return requestedTab === 'requests' && side !== 'creator' ? 'chat' : requestedTab;
}

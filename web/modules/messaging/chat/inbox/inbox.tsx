import type { Conversation } from '@stagedoor/contract/messaging/messages.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { Suspense, useDeferredValue, useState } from 'react';
import { useSearchParams } from 'react-router';
import { buildAddress } from '../../../../platform/address.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatCount } from '../../../../platform/dates.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Tabs } from '../../../../ui/chips.tsx';
import { Switch } from '../../../../ui/choice.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { EmptyState, SkeletonRows } from '../../../../ui/states.tsx';
import { BroadcastCheckbox } from '../broadcast/broadcast-checkbox.tsx';
import type { BroadcastChoice } from '../broadcast/state.ts';
import { useChatContext } from '../chat-parts.ts';
import type { ChatTab } from '../model.ts';
import * as texts from '../texts.ts';
import { ConversationList } from './conversation-list.tsx';
import { type InboxTab, parseInboxTab } from './inbox-tab.ts';
import { useUnread } from './unread.ts';

function EmptyList({ tab, search }: { tab: ChatTab; search: string }) {
  const { side } = useChatContext();
  if (search) return <EmptyState line={formatText(texts.noMatchingChats, { query: isolateText(search) })} />;
  if (tab === 'unread') return <EmptyState line={texts.noUnreadMessages} />;
  if (tab === 'requests') return <EmptyState line={texts.allCaughtUp} />;
  if (side === 'creator') return <EmptyState line={texts.noChatsYet} more={texts.emptyInboxCreatorHint} />;
  return (
    <EmptyState
      line={texts.noChatsYet}
      more={texts.emptyInboxFanHint}
      action={<Button href="/">{texts.findCreators}</Button>}
    />
  );
}

function RequestsRow({ count }: { count: number }) {
  const { base } = useChatContext();
  if (count === 0) return null;
  return (
    <div className="talk-row flex-none">
      <span className="glyph">
        <Icon name="people" />
      </span>
      <div className="min-w-0">
        <UiLink className="talk-row__link talk-row__name" href={`${base}?tab=requests`}>
          {texts.requests}
        </UiLink>
        <span className="talk-row__line one-line">{formatCount(count, texts.messageRequest)}</span>
      </div>
      <Icon name="chevron-right" />
    </div>
  );
}

function SearchField({
  value,
  onChange,
  onClose,
}: {
  value: string;
  onChange: (value: string) => void;
  onClose: () => void;
}) {
  return (
    <search className="flex items-center px-3 lg:px-4">
      <div className="search flex-1">
        <Icon name="search" />
        <input
          className="search__input"
          type="search"
          aria-label={texts.searchChatsByName}
          placeholder={texts.searchChatsByName}
          autoComplete="off"
          maxLength={100}
          // biome-ignore lint/a11y/noAutofocus: the user opened it with a press
          autoFocus
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
        />
      </div>
      <IconButton icon="close" label={texts.closeSearch} onClick={onClose} />
    </search>
  );
}

export type InboxProps = {
  openId: string | undefined;
  hasThread: boolean;
  broadcast: BroadcastChoice | undefined;
};

function InboxLists({
  tab,
  search,
  openId,
  broadcast,
  tabs,
}: Omit<InboxProps, 'hasThread'> & { tab: InboxTab; search: string; tabs: React.ReactNode }) {
  const { side, Calls } = useChatContext();
  const { requestCount } = useUnread(true);
  const renderLead =
    broadcast?.isOn === true
      ? (conversation: Conversation) => <BroadcastCheckbox conversation={conversation} choice={broadcast} />
      : undefined;
  return (
    <>
      {tabs}
      {side === 'creator' && tab === 'chat' && !renderLead && !search && <RequestsRow count={requestCount} />}
      {tab === 'callHistoryList' ? (
        <Suspense fallback={<SkeletonRows />}>
          <Calls />
        </Suspense>
      ) : (
        <ConversationList
          key={`${tab} ${search}`}
          tab={tab}
          search={search}
          openId={openId}
          empty={<EmptyList tab={tab} search={search} />}
          renderLead={renderLead}
        />
      )}
    </>
  );
}

export function Inbox({ openId, hasThread, broadcast }: InboxProps) {
  const { base, side, isOwner, missedCount } = useChatContext();
  const [params] = useSearchParams();
  const unread = useUnread(true);
  const [isSearching, setIsSearching] = useState(false);
  const [searchText, setSearchText] = useState('');
  const search = useDeferredValue(searchText.trim());
  // Broadcasting uses the chat tab (row E8).
  const tab = broadcast?.isOn ? 'chat' : parseInboxTab(params, side);
  const currentPath = openId ? `${base}/${openId}` : base;
  const toTabHref = (each: InboxTab) =>
    buildAddress(currentPath, new URLSearchParams(), { tab: each === 'chat' ? undefined : each });
  const close = () => {
    setIsSearching(false);
    setSearchText('');
  };
  const tabs = (
    <Tabs
      label={texts.chatLists}
      className="inbox__tabs"
      current={toTabHref(tab)}
      tabs={[
        { href: toTabHref('chat'), label: texts.chat },
        {
          href: toTabHref('unread'),
          label: texts.unreadFilter,
          ...(unread.conversationCount > 0 && { count: unread.isMore ? '99+' : unread.conversationCount }),
        },
        ...(isOwner
          ? [{ href: toTabHref('callHistoryList'), label: texts.calls, ...(missedCount > 0 && { count: missedCount }) }]
          : []),
      ]}
    />
  );
  const Title = hasThread ? 'h2' : 'h1';
  return (
    <section className="inbox" aria-label={texts.chats}>
      <div className="inbox__head">
        {tab === 'requests' ? (
          <span className="flex min-w-0 items-center gap-1">
            <IconButton icon="back" label={texts.backToAllChats} href={base} />
            <Title className="display d3">{texts.requests}</Title>
          </span>
        ) : (
          <Title className="display d3">{texts.chat}</Title>
        )}
        <span className="flex flex-wrap items-center">
          {broadcast && tab !== 'requests' && (
            <Switch
              label={texts.broadcast}
              checked={broadcast.isOn}
              onChange={(event) => broadcast.setOn(event.currentTarget.checked)}
            />
          )}
          {side === 'creator' && isOwner && (
            <IconButton icon="settings" label={texts.whoCanMessageYou} href={`${PATHS.creatorSettings}#chat`} />
          )}
          <IconButton
            icon="search"
            label={texts.searchChats}
            aria-pressed={isSearching}
            onClick={() => (isSearching ? close() : setIsSearching(true))}
          />
        </span>
      </div>
      {isSearching && <SearchField value={searchText} onChange={setSearchText} onClose={close} />}
      <InboxLists
        tab={tab}
        search={search}
        openId={openId}
        broadcast={broadcast}
        tabs={tab === 'requests' || broadcast?.isOn ? null : tabs}
      />
    </section>
  );
}

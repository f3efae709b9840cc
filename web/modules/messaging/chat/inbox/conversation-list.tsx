import type { Conversation } from '@stagedoor/contract/messaging/messages.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { ErrorState, SkeletonRows } from '../../../../ui/states.tsx';
import { conversationListQuery, loadMore } from '../cache.ts';
import { useChatContext } from '../chat-parts.ts';
import type { ChatTab } from '../model.ts';
import * as texts from '../texts.ts';
import { ConversationListItem } from './conversation-list-item.tsx';

const ROW_PX = 70;
const PRELOAD_ROWS = 15;
const SERVER_ROWS = 20;

export type ConversationListProps = {
  tab: ChatTab;
  search: string;
  openId: string | undefined;
  empty: ReactNode;
  renderLead?: ((conversation: Conversation) => ReactNode) | undefined;
};

function useLoadMore(tab: ChatTab, search: string) {
  const client = useQueryClient();
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const isBusy = useRef(false);
  const loadNextPage = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    setState('busy');
    try {
      await loadMore(client, tab, search);
      setState('idle');
    } catch {
      setState('failed');
    } finally {
      isBusy.current = false;
    }
  };
  return { state, loadNextPage };
}

function useArrowKeys(items: readonly Conversation[], handle: React.RefObject<VirtualizerHandle | null>) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -items.length, End: items.length };
    const step = steps[event.key];
    const target = event.target;
    if (step === undefined || !(target instanceof HTMLElement) || !target.dataset.talk) return;
    event.preventDefault();
    const from = items.findIndex(({ id }) => id === target.dataset.talk);
    const to = Math.max(0, Math.min(items.length - 1, from + step));
    const next = items[to];
    const list = event.currentTarget;
    if (!next || to === from) return;
    const focus = () => list.querySelector<HTMLElement>(`[data-talk="${next.id}"]`)?.focus({ preventScroll: true });
    // The thread may have been opened meanwhile, and its message field has the focus.
    const focusAfterRender = () => {
      if (document.activeElement === document.body || list.contains(document.activeElement)) focus();
    };
    handle.current?.scrollToIndex(to, { align: 'nearest' });
    requestAnimationFrame(() => requestAnimationFrame(focusAfterRender));
    focus();
  };
}

export function ConversationList({ tab, search, openId, empty, renderLead }: ConversationListProps) {
  const { base } = useChatContext();
  const query = useQuery(conversationListQuery(tab, search));
  const { state, loadNextPage } = useLoadMore(tab, search);
  const handle = useRef<VirtualizerHandle>(null);
  const items = query.data?.items ?? [];
  const handleArrows = useArrowKeys(items, handle);
  const hasMore = query.data?.nextOffset !== undefined;
  const loadNearEnd = () => {
    const list = handle.current;
    if (!list || !hasMore || state !== 'idle') return;
    if (list.findItemIndex(list.scrollOffset + list.viewportSize) + PRELOAD_ROWS >= items.length) void loadNextPage();
  };
  const loadNearEndRef = useRef(loadNearEnd);
  useEffect(() => {
    loadNearEndRef.current = loadNearEnd;
  });
  // When a page arrives while the list is at its end, no scroll event follows, so the position is checked here.
  useEffect(() => {
    if (state === 'idle' && items.length > 0) loadNearEndRef.current();
  }, [state, items.length]);
  if (!query.data) {
    if (query.isError)
      return (
        <div className="px-5 lg:px-6">
          <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
        </div>
      );
    return (
      <div className="px-5 pt-2 lg:px-6">
        <SkeletonRows count={7} />
      </div>
    );
  }
  if (items.length === 0) return <div className="px-5 lg:px-6">{empty}</div>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows are an extra to the tab key
    <div className="inbox__list" data-list="conversations" onKeyDown={handleArrows}>
      <Virtualizer
        ref={handle}
        data={items}
        itemSize={ROW_PX}
        ssrCount={Math.min(items.length, SERVER_ROWS)}
        onScroll={loadNearEnd}
        as="ul"
        item="li"
      >
        {(conversation) => (
          <ConversationListItem
            key={conversation.id}
            conversation={conversation}
            isCurrent={conversation.id === openId}
            href={`${base}/${conversation.id}${tab === 'chat' ? '' : `?tab=${tab}`}`}
            lead={renderLead?.(conversation)}
            conversations={tab === 'requests' ? items : undefined}
          />
        )}
      </Virtualizer>
      {state === 'failed' && (
        <div className="px-5 lg:px-6">
          <ErrorState title={texts.moreChatsError} onRetry={() => void loadNextPage()} />
        </div>
      )}
      {state === 'busy' && (
        <p className="sr-only" role="status">
          {texts.loadingMore}
        </p>
      )}
    </div>
  );
}

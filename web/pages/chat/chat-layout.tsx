import { BROADCAST_AUDIENCES } from '@stagedoor/contract/messaging/broadcasts.ts';
import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { matchPath, Outlet, useLocation, useSearchParams } from 'react-router';
import '../../modules/messaging/chat/chat.css';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { MediaViewer } from '../../modules/content/media/player/media-viewer.tsx';
import type { ViewerItem } from '../../modules/content/media/player/viewer-lightbox.tsx';
import { type BroadcastChoice, useBroadcastChoice } from '../../modules/messaging/chat/broadcast/state.ts';
import { threadQuery } from '../../modules/messaging/chat/cache.ts';
import { ChatPartsContext } from '../../modules/messaging/chat/chat-parts.ts';
import { Inbox } from '../../modules/messaging/chat/inbox/inbox.tsx';
import { useOpenOutbox } from '../../modules/messaging/chat/outbox/use-outbox.ts';
import { useChatEvents } from '../../modules/messaging/chat/socket-events.ts';
import { listViewableMedia } from '../../modules/messaging/chat/thread/thread-view.tsx';
import { parseOption } from '../../platform/address.ts';
import { formatCount } from '../../platform/dates.ts';
import { usePendingLocation } from '../../platform/pending-location.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { subscribeToNothing } from '../../ui/subscribe-to-nothing.ts';
import { useChatParts } from './chat-parts.tsx';
import { OpenThread } from './open-thread.tsx';
import * as texts from './texts.ts';

/** iOS overlays its keyboard without resizing the page, so the height follows the visual viewport. */
function useWindowHeight(): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const fit = () => {
      const isCovered = view.scale === 1 && innerHeight - view.height > 100;
      if (isCovered) document.documentElement.style.setProperty('--window', `${view.height}px`);
      else document.documentElement.style.removeProperty('--window');
    };
    view.addEventListener('resize', fit);
    return () => {
      view.removeEventListener('resize', fit);
      document.documentElement.style.removeProperty('--window');
    };
  }, []);
}

function ThreadMediaViewer({ id }: { id: string }) {
  const client = useQueryClient();
  const { data } = useQuery({ ...threadQuery(id), enabled: false }, client);
  const items = useMemo(
    () =>
      listViewableMedia(data?.messages ?? []).flatMap(({ id: mediaId, kind, picture, stream }): ViewerItem[] =>
        kind === 'audio' ? [] : [{ id: mediaId, kind, picture, stream }],
      ),
    [data],
  );
  return <MediaViewer items={items} name="In this chat" />;
}

function useOpenThread(base: string): { openId: string | undefined; hasThread: boolean } {
  const currentLocation = useLocation();
  const pendingLocation = usePendingLocation();
  const isInside = pendingLocation.pathname === base || pendingLocation.pathname.startsWith(`${base}/`);
  const { pathname, search } = isInside ? pendingLocation : currentLocation;
  const openId = matchPath(`${base}/:id`, pathname)?.params.id;
  return { openId, hasThread: openId !== undefined || new URLSearchParams(search).has('with') };
}

function BroadcastBar({ base, broadcast }: { base: string; broadcast: BroadcastChoice }) {
  const count = broadcast.chosen.size;
  return (
    <div className="action-bar lg:hidden">
      <Button variant="primary" size="lg" wide href={`${base}/${BROADCAST_KEY}`}>
        {count > 0
          ? formatText(texts.messageUsers, { userCount: formatCount(count, 'person', 'people') })
          : texts.messageAGroup}
      </Button>
    </div>
  );
}

function ChatContent({ side, viewerId, rendered }: { side: ChatSide; viewerId: string; rendered: string }) {
  const base = side === 'creator' ? PATHS.creatorChat : PATHS.fanChat;
  const { openId, hasThread } = useOpenThread(base);
  useChatEvents(viewerId);
  useOpenOutbox(viewerId);
  useWindowHeight();
  const [search] = useSearchParams();
  const broadcast = useBroadcastChoice(base, openId, parseOption(BROADCAST_AUDIENCES, search.get('audience')));
  const parts = useChatParts({ viewerId, side, rendered });
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  return (
    <ChatPartsContext value={parts}>
      <div className="chat" data-open={hasThread ? '' : undefined} data-alive={isHydrated ? '' : undefined}>
        <Inbox openId={openId} hasThread={hasThread} broadcast={side === 'creator' ? broadcast : undefined} />
        {openId === undefined ? <Outlet /> : <OpenThread id={openId} broadcast={broadcast} />}
        {side === 'creator' && broadcast.isOn && !hasThread && <BroadcastBar base={base} broadcast={broadcast} />}
        {openId && openId !== BROADCAST_KEY && <ThreadMediaViewer id={openId} />}
      </div>
    </ChatPartsContext>
  );
}

export function ChatLayout({ side, rendered }: { side: ChatSide; rendered: string }) {
  const viewer = useViewer();
  if (!viewer) return null;
  return <ChatContent side={side} viewerId={viewer.id} rendered={rendered} />;
}

export function NoThreadOpen() {
  return (
    <section className="conv" aria-label={texts.noChatSelected}>
      <div className="m-auto px-8">
        <EmptyState line={texts.selectAChat} more={texts.arrowKeysHint} />
      </div>
    </section>
  );
}

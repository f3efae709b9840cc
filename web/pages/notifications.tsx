/** Notifications (row I2) of both roles, grouped by day. */
import { PATHS, preferencesPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useLocation,
  useSearchParams,
} from 'react-router';
import { unreadQuery, useUnread } from '../modules/messaging/chat/inbox/unread.ts';
import { NotificationDays } from '../modules/notifications/notifications/notification-list.tsx';
import { PreferencesSection, preferencesQuery } from '../modules/notifications/notifications/preferences.tsx';
import {
  markAllRead,
  type NotificationTab,
  notificationsQuery,
  unreadCountQuery,
} from '../modules/notifications/notifications/queries.ts';
import { formatCount } from '../platform/dates.ts';
import { lazyPart } from '../platform/lazy-part.ts';
import { useMediaQuery } from '../platform/media-query.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Tabs } from '../ui/chips.tsx';
import { Pager } from '../ui/pager.tsx';
import { Glyph, Row, Rows } from '../ui/rows.tsx';
import { EmptyState, SkeletonRows } from '../ui/states.tsx';
import { Listing } from './fan/listing.tsx';
import * as texts from './texts.ts';

const PushParts = lazyPart(
  async () => (await import('../modules/notifications/push/settings.tsx')).PushSettingsSections,
);

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.notifications });

const parseTab = (search: URLSearchParams): NotificationTab => (search.get('tab') === 'unread' ? 'unread' : 'all');
/** Must match notifications.css. */
const SIDE_BY_SIDE = '(min-width: 75rem)';
const isPreferencesTab = (search: URLSearchParams) => search.get('tab') === 'preferences';

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  await awaitOnServer(
    client.ensureInfiniteQueryData({ ...notificationsQuery(parseTab(url.searchParams)), revalidateIfStale: true }),
    client.ensureQueryData(unreadCountQuery()),
    client.prefetchQuery(unreadQuery()),
    client.prefetchQuery(preferencesQuery()),
  );
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Messages({ isCreator }: { isCreator: boolean }) {
  const { count, conversationCount, isMore } = useUnread(true);
  const isMessageAlertOn = useQuery(preferencesQuery()).data?.data.every(
    ({ key, inApp }) => key !== 'newMessage' || inApp,
  );
  if (count === 0 || isMessageAlertOn === false) return null;
  return (
    <Rows closed className="mt-5">
      <Row
        lead={<Glyph icon="chat" />}
        title={`${formatCount(count, texts.unreadMessage)}${isMore ? texts.andMore : ''}`}
        sub={formatText(texts.inConversations, { conversationCount: formatCount(conversationCount, 'conversation') })}
        href={isCreator ? PATHS.creatorChat : PATHS.fanChat}
      />
    </Rows>
  );
}

function Empty({ tab, path }: { tab: NotificationTab; path: string }) {
  if (tab === 'unread')
    return (
      <EmptyState
        line={texts.noUnreadNotifications}
        more={texts.allCaughtUp}
        action={<Button href={path}>{texts.seeAllNotifications}</Button>}
      />
    );
  return <EmptyState line={texts.noNotificationsYet} more={texts.noNotificationsHint} />;
}

export default function NotificationsPage() {
  const { now } = useLoaderData<typeof loader>();
  const client = useQueryClient();
  const { pathname: path } = useLocation();
  const [search] = useSearchParams();
  const tab = parseTab(search);
  const query = useInfiniteQuery(notificationsQuery(tab));
  const count = useQuery(unreadCountQuery()).data?.count ?? 0;
  const newest = query.data?.pages[0]?.data[0];
  const isPreferences = isPreferencesTab(search);
  const isListShown = useMediaQuery(SIDE_BY_SIDE) || !isPreferences;
  return (
    <div className="alerts" data-preferences={isPreferences ? '' : undefined}>
      <h1 className="display d2">{texts.notifications}</h1>
      <div className="min-w-0">
        <div className="alerts__tabs">
          <Tabs
            label={texts.notifications}
            current={isListShown ? (tab === 'unread' ? `${path}?tab=unread` : path) : ''}
            tabs={[
              { href: path, label: texts.all },
              {
                href: `${path}?tab=unread`,
                label: texts.unread,
                count: count > 0 ? count.toLocaleString('en-US') : undefined,
              },
            ]}
          />
          <div className="alerts__acts">
            {newest && count > 0 && (
              <Button variant="quiet" onClick={() => void markAllRead(client, newest).catch(() => undefined)}>
                {texts.markAllAsRead}
              </Button>
            )}
            <IconButton
              icon="settings"
              label={texts.notificationSettings}
              className="alerts__way"
              href={preferencesPath(path)}
              aria-current={isPreferences ? 'page' : undefined}
            />
          </div>
        </div>
        <div className="alerts__list">
          <Messages isCreator={path === PATHS.creatorNotifications} />
          <Listing
            query={query}
            isEmpty={(pages) => pages.every(({ data }) => data.length === 0)}
            empty={<Empty tab={tab} path={path} />}
          >
            {(pages) => (
              <>
                <NotificationDays groups={pages.flatMap(({ data }) => data)} now={now} />
                <Pager
                  onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
                  busy={query.isFetchingNextPage}
                />
              </>
            )}
          </Listing>
        </div>
      </div>
      <div className="alerts__side">
        <PreferencesSection isRequested={isPreferences} />
        <Suspense fallback={<SkeletonRows count={3} />}>
          <PushParts />
        </Suspense>
      </div>
    </div>
  );
}

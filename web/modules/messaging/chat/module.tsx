/**
 * The chat module. The unread count is on every page. Live updates, delivered marks and the tone load when the browser
 * is idle.
 */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCount } from '../../../platform/dates.ts';
import { createLazyListener, type FeatureModule, type NavEntry } from '../../../platform/module.ts';
import { CountBadge } from '../../../ui/label.tsx';
import { unreadQuery, useUnread } from './inbox/unread.ts';
import * as texts from './texts.ts';

function UnreadBadge() {
  const { count, isMore, requestCount } = useUnread(true);
  const label =
    requestCount === 0
      ? 'unread'
      : formatText(texts.unreadWithRequests, { requestCount: formatCount(requestCount, 'request') });
  return <CountBadge value={isMore ? 100 : count + requestCount} label={label} />;
}

const navEntry: Omit<NavEntry, 'href'> = { order: 40, label: texts.chat, icon: 'chat', Badge: UnreadBadge };
const doNothing = () => undefined;
const unreadListener = createLazyListener(async () => {
  const { trackUnread } = await import('./inbox/unread-updates.ts');
  return (client, { type }) => (type === 'operator' ? doNothing : trackUnread(client));
});
const messageListener = createLazyListener(async () => {
  const { subscribeToMessages } = await import('./incoming-messages.ts');
  return (client, { id, type }) =>
    type === 'operator' ? doNothing : subscribeToMessages(client, id, type === 'creator' ? 'creator' : 'fan');
});

export const featureModule: FeatureModule = {
  nav: { customer: [{ ...navEntry, href: PATHS.fanChat }], creator: [{ ...navEntry, href: PATHS.creatorChat }] },
  load: async (client, type) => {
    if (type !== 'operator') await client.prefetchQuery(unreadQuery());
  },
  live: [unreadListener, messageListener],
};

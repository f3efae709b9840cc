/**
 * The chat module. The unread count is on every page. Live updates, delivered marks and the tone load when the browser
 * is idle.
 */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { plural } from '../../kernel/dates.ts';
import { lazyListener, type NavEntry, type Room } from '../../kernel/room.ts';
import { Count } from '../../ui/label.tsx';
import { unreadQuery, useUnread } from './inbox/unread.ts';

function UnreadBadge() {
  const { count, isMore, requestCount } = useUnread(true);
  const label = requestCount === 0 ? 'unread' : `unread, ${plural(requestCount, 'request')} among them`;
  return <Count value={isMore ? 100 : count + requestCount} label={label} />;
}

const entry: Omit<NavEntry, 'href'> = { order: 40, label: 'Chat', icon: 'chat', Badge: UnreadBadge };
const never = () => undefined;
const following = lazyListener(async () => {
  const { followUnread } = await import('./inbox/unread-live.ts');
  return (client, { type }) => (type === 'operator' ? never : followUnread(client));
});
const incoming = lazyListener(async () => {
  const { listenForMessages } = await import('./incoming.ts');
  return (client, { id, type }) =>
    type === 'operator' ? never : listenForMessages(client, id, type === 'creator' ? 'creator' : 'fan');
});

export const room: Room = {
  nav: { customer: [{ ...entry, href: PATHS.fanChat }], creator: [{ ...entry, href: PATHS.creatorChat }] },
  load: async (client, type) => {
    if (type !== 'operator') await client.prefetchQuery(unreadQuery());
  },
  live: [following, incoming],
};

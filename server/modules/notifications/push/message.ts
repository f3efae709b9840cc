/**
 * The content of a push. It mentions neither users nor subjects unless the user allows it. The format is declarative
 * web push (contract/notifications/push.ts).
 */

import { ALERT_PARAM, type PushMessage, toBadgeCount } from '@stagedoor/contract/notifications/push.ts';
import { chatWithPath, PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { Context } from '../../../platform/context.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { countUnmuted } from '../../messaging/chat/index.ts';
import { countUnreadGroups, isNotificationKind, presentNotification } from '../notifications/index.ts';
import { MESSAGE_KIND, RING_END_KIND, RING_KIND } from './delivery-policy.ts';
import type { PendingPush } from './store.ts';
import * as texts from './texts.ts';

type PushText = { title: string; body: string; path: string };

const NEUTRAL_TEXT = { title: 'Stagedoor', body: texts.somethingNewForYou };
const NEUTRAL_TEXTS = new Map([
  [RING_KIND, { title: 'Stagedoor', body: texts.incomingCall }],
  [RING_END_KIND, { title: 'Stagedoor', body: texts.someoneCalledYou }],
]);
/** Keeps a push well below the 3 KB that every service accepts. */
const MAX_CHARACTERS = 200;

const truncate = (text: string) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text);

const DIRECT_TEXTS = new Map<string, (push: PendingPush) => { body: string; path: string }>([
  [RING_KIND, () => ({ body: 'is calling you', path: PATHS.creatorChat })],
  [RING_END_KIND, () => ({ body: 'called you', path: PATHS.creatorChat })],
  [MESSAGE_KIND, ({ byId }) => ({ body: 'sent you a message', path: byId ? chatWithPath(byId) : PATHS.fanChat })],
]);

async function loadPushText(ctx: Context, push: PendingPush): Promise<PushText> {
  const { userType: type, byId, eventId: id } = push;
  const directText = DIRECT_TEXTS.get(push.kind)?.(push);
  if (directText) {
    const { name = 'Stagedoor' } = (byId && (await findUserSummaries(ctx.db, [byId])).get(byId)) || {};
    return { title: name, ...directText };
  }
  const { kind, subjectId, cents, note, createdAt: at } = push;
  const group = await presentNotification(ctx.db, { id, kind, at, byId, subjectId, cents, note }, type);
  if (!group)
    return { ...NEUTRAL_TEXT, path: type === 'creator' ? PATHS.creatorNotifications : PATHS.fanNotifications };
  const [first] = group.users;
  return { title: first ? `${first.name} ${group.text}` : group.text, body: group.detail, path: group.href };
}

function toNavigateUrl({ kind, eventId }: PendingPush, url: string): string {
  if (!isNotificationKind(kind)) return url;
  const target = new URL(url);
  target.searchParams.set(ALERT_PARAM, eventId);
  return target.href;
}

async function loadBadgeCount({ db }: Context, { userId, userType }: PendingPush): Promise<number> {
  const side = userType === 'creator' ? 'creator' : 'fan';
  return toBadgeCount({
    alerts: await countUnreadGroups(db, userId),
    messages: await countUnmuted(db, userId, side),
  });
}

export async function composePush(
  ctx: Context,
  push: PendingPush,
): Promise<{ message: PushMessage; smaller: PushMessage }> {
  const { publicUrl } = ctx.config;
  const { path, ...text } = await loadPushText(ctx, push);
  const neutral = NEUTRAL_TEXTS.get(push.kind) ?? NEUTRAL_TEXT;
  const { title, body } = push.isDiscreet ? neutral : text;
  const icon = `${publicUrl}/icon-192.png`;
  const notification: PushMessage['notification'] = {
    title: truncate(title),
    ...(body !== '' && { body: truncate(body) }),
    navigate: toNavigateUrl(push, `${publicUrl}${path}`),
    tag: push.tag,
    lang: 'en',
    dir: 'ltr',
    ...(push.kind === RING_KIND && { requireInteraction: true }),
    ...(push.kind === RING_END_KIND && { silent: true, data: { close: true as const } }),
    ...(push.kind !== RING_END_KIND && { renotify: true }),
    ...{ icon, badge: `${publicUrl}/badge-96.png` },
  };
  const message: PushMessage = {
    web_push: 8030,
    notification,
    app_badge: await loadBadgeCount(ctx, push),
  };
  return { message, smaller: { web_push: 8030, notification: { ...notification, ...neutral } } };
}

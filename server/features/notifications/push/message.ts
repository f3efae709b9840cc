/**
 * The content of a push. It mentions neither users nor subjects unless the user allows it. The format is declarative
 * web push (contract/push.ts).
 */
import { chatWithPath, PATHS } from '@stagedoor/contract/addresses.ts';
import { ALERT_PARAM, badgeOf, type PushMessage } from '@stagedoor/contract/push.ts';
import type { Context } from '../../../kernel/context.ts';
import { findPeople } from '../../accounts/index.ts';
import { countUnmuted } from '../../chat/index.ts';
import { GATHERED, KINDS, PAID } from '../kinds.ts';
import { presentRows } from '../lines.ts';
import { countUnread } from '../store.ts';
import type { Ready } from './store.ts';
import { MESSAGE, RING, RING_END } from './ways.ts';

type Words = { title: string; body: string; path: string };

const NEUTRAL = { title: 'Stagedoor', body: 'Something new for you' };
const NEUTRAL_OF = new Map([
  [RING, { title: 'Stagedoor', body: 'Incoming call' }],
  [RING_END, { title: 'Stagedoor', body: 'Someone called you' }],
]);
/** Keeps a push well below the 3 KB that every service accepts. */
const MOST_CHARACTERS = 200;

const short = (text: string) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text);

const OF_PEOPLE = new Map<string, (push: Ready) => { body: string; path: string }>([
  [RING, () => ({ body: 'is calling you', path: PATHS.creatorChat })],
  [RING_END, () => ({ body: 'called you', path: PATHS.creatorChat })],
  [MESSAGE, ({ byId }) => ({ body: 'sent you a message', path: byId ? chatWithPath(byId) : PATHS.fanChat })],
]);

async function wordsOf(ctx: Context, push: Ready): Promise<Words> {
  const { userType: type, byId, eventId: id } = push;
  const ofPeople = OF_PEOPLE.get(push.kind)?.(push);
  if (ofPeople) {
    const { name = 'Stagedoor' } = (byId && (await findPeople(ctx.db, [byId])).get(byId)) || {};
    return { title: name, ...ofPeople };
  }
  const { kind, subjectId, cents, note, createdAt: at } = push;
  const one = { id, firstId: id, kind, at, isUnread: true, count: 1, hasMore: false };
  const by = { byCount: byId === null ? 0 : 1, byIds: byId === null ? null : [byId] };
  const [line] = await presentRows(ctx.db, [{ ...one, ...by, subjectId, cents, note }], type);
  if (!line) return { ...NEUTRAL, path: type === 'creator' ? PATHS.creatorNotifications : PATHS.fanNotifications };
  const [first] = line.people;
  return { title: first ? `${first.name} ${line.text}` : line.text, body: line.detail, path: line.href };
}

function placeOf({ kind, eventId }: Ready, url: string): string {
  if (!(kind in KINDS)) return url;
  const place = new URL(url);
  place.searchParams.set(ALERT_PARAM, eventId);
  return place.href;
}

async function readBadge({ db }: Context, { userId, userType }: Ready): Promise<number> {
  const side = userType === 'creator' ? 'creator' : 'fan';
  return badgeOf({
    alerts: await countUnread(db, userId, GATHERED, { byIds: [], butKinds: PAID }),
    messages: await countUnmuted(db, userId, side),
  });
}

export async function composePush(ctx: Context, push: Ready): Promise<{ message: PushMessage; smaller: PushMessage }> {
  const { publicUrl } = ctx.config;
  const { path, ...words } = await wordsOf(ctx, push);
  const neutral = NEUTRAL_OF.get(push.kind) ?? NEUTRAL;
  const { title, body } = push.isDiscreet ? neutral : words;
  const icon = `${publicUrl}/icon-192.png`;
  const notification: PushMessage['notification'] = {
    title: short(title),
    ...(body !== '' && { body: short(body) }),
    navigate: placeOf(push, `${publicUrl}${path}`),
    tag: push.tag,
    lang: 'en',
    dir: 'ltr',
    ...(push.kind === RING && { requireInteraction: true }),
    ...(push.kind === RING_END && { silent: true, data: { close: true as const } }),
    ...(push.kind !== RING_END && { renotify: true }),
    ...{ icon, badge: `${publicUrl}/badge-96.png` },
  };
  const message: PushMessage = {
    web_push: 8030,
    notification,
    app_badge: await readBadge(ctx, push),
  };
  return { message, smaller: { web_push: 8030, notification: { ...notification, ...neutral } } };
}

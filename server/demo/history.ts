/** Eight weeks of actions. The same `epoch` always gives the same list, so that an interrupted start can continue. */

import { createSeededRandom } from '../platform/seeded-random.ts';
import type { ActionInput, DemoAction } from './actions.ts';
import { calculateCallCost, listCallActions } from './calls.ts';
import { listMessageActions } from './chats.ts';
import type { DemoPost } from './demo-post.ts';
import { listPayoutActions } from './payouts.ts';
import { POSTS } from './posts.ts';
import { listSettlementActions } from './settlements.ts';
import { listSubscriptionActions, SUBSCRIBERS } from './subscriptions.ts';
import { AUDIENCE, CREATORS, DEBTOR, type DemoCreator, type DemoFan, FANS, NOTES, PAID_TWICE } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const ALL_FANS: readonly DemoFan[] = [...FANS, ...AUDIENCE, DEBTOR, ...SUBSCRIBERS];
const TIPS_USD = [3, 5, 5, 5, 8, 10, 10, 12, 15, 20, 25, 40] as const;
const REMAINING_USD: Readonly<Record<string, number>> = { 'demo.fan': 540, [DEBTOR.username]: 0 };
const MIN_REMAINING_USD = 11;

/** `epoch` is the time of the first start. */
export function getPublishTime(post: DemoPost, epoch: Date): Date {
  const [daysAgo, time] = post.at;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const ms = hours * HOUR_MS + minutes * MINUTE_MS;
  if (daysAgo === 0) return new Date(epoch.getTime() - ms);
  const midnight = Math.floor(epoch.getTime() / DAY_MS) * DAY_MS;
  return new Date(midnight - daysAgo * DAY_MS + ms);
}

/** Creators who joined later upload their pictures when they join. */
export const PICTURES_DAYS_AGO = 49;
export const hasJustJoined = ({ joinedDaysAgo }: Pick<DemoCreator, 'joinedDaysAgo'>): boolean =>
  joinedDaysAgo < PICTURES_DAYS_AGO;

export function getJoinTime(creator: Pick<DemoCreator, 'joinedDaysAgo'>, epoch: Date): Date {
  return new Date(epoch.getTime() - creator.joinedDaysAgo * DAY_MS);
}

function listFanActions(fan: DemoFan, epoch: Date, random: () => number): (ActionInput & { at: Date })[] {
  const now = epoch.getTime();
  const username = fan.username;
  const actions: (ActionInput & { at: Date })[] = [];
  const add = (ms: number, action: ActionInput) => actions.push({ ...action, at: new Date(Math.round(ms)) });
  const first = Math.max(...fan.deposits.map(({ daysAgo }) => daysAgo));
  const joined = now - first * DAY_MS - (2 + 28 * random()) * HOUR_MS;
  add(joined, { kind: 'join', username });
  fan.deposits.forEach(({ daysAgo, usd }, index) => {
    const at = now - daysAgo * DAY_MS + random() * 9 * HOUR_MS;
    if (index === 1 && username === 'demo.fan')
      add(at - 4 * MINUTE_MS, { kind: 'deposit', username, usd, isDeclined: true });
    add(at, {
      kind: 'deposit',
      username,
      usd,
      isDeclined: false,
      isReportedTwice: index === 0 && username === PAID_TWICE,
    });
  });

  for (const creator of CREATORS) {
    if (hasJustJoined(creator)) continue;
    const isLoved = fan.loves.includes(creator.key);
    if (!isLoved && random() > creator.draw * 0.6) continue;
    const waited = isLoved ? (5 + 115 * random()) * MINUTE_MS : random() ** 1.5 * 0.9 * (now - joined);
    const followed = Math.max(joined + waited, getJoinTime(creator, epoch).getTime() + HOUR_MS);
    add(followed, { kind: 'follow', username, creator: creator.username });
    POSTS.forEach((post, index) => {
      if (post.creator !== creator.key) return;
      const published = getPublishTime(post, epoch).getTime();
      const isOld = published < followed;
      if (isOld && random() > 0.5) return;
      const delay = Math.min(9 * DAY_MS, 8 * MINUTE_MS - Math.log(1 - random()) * 18 * HOUR_MS);
      const seen = isOld ? followed + (2 + 58 * random()) * MINUTE_MS : published + delay;
      if (random() < 0.36 + 0.4 * fan.warmth) add(seen + MINUTE_MS, { kind: 'like', username, post: index });
      const unlockChance = Math.max(0.04, (isLoved ? 0.38 : 0.12) + 0.35 * fan.warmth - post.price / 110);
      if (post.price > 0 && random() < unlockChance)
        add(seen + 2 * MINUTE_MS, { kind: 'unlock', username, post: index });
    });
    const tips = Math.round(random() * fan.warmth * (0.5 + creator.draw) * (isLoved ? 7 : 2));
    for (let index = 0; index < tips; index += 1) {
      const at = followed + HOUR_MS + random() * (now - followed);
      const earlier = POSTS.findLastIndex(
        (post) => post.creator === creator.key && getPublishTime(post, epoch).getTime() < at,
      );
      const post = random() < 0.5 && earlier >= 0 ? earlier : undefined;
      const usd = TIPS_USD[Math.floor(random() * TIPS_USD.length)] ?? 5;
      add(at, { kind: 'tip', username, creator: creator.username, usd, post, note: '' });
    }
  }
  return actions;
}

function listCreatorLikes(epoch: Date, random: () => number): (ActionInput & { at: Date })[] {
  return CREATORS.flatMap((creator) =>
    POSTS.flatMap((post, index) => {
      if (post.creator === creator.key || random() > 0.22) return [];
      const at = new Date(getPublishTime(post, epoch).getTime() + Math.round((0.2 + 40 * random()) * HOUR_MS));
      if (at < getJoinTime(creator, epoch)) return [];
      return [{ kind: 'like' as const, username: creator.username, post: index, at }];
    }),
  );
}

const EARLY_FOLLOWERS = ['meiling.zhou', 'ottilie.brandt', 'linh.pham', 'leilani.kahale'];

function listNewCreatorActions(epoch: Date): (ActionInput & { at: Date })[] {
  return CREATORS.filter(hasJustJoined).flatMap((creator) => {
    const joined = getJoinTime(creator, epoch);
    const addHours = (hours: number, from = joined) => new Date(from.getTime() + hours * HOUR_MS);
    const ownPosts = POSTS.flatMap((post, index) => (post.creator === creator.key ? [{ post, index }] : []));
    return [
      { kind: 'open' as const, creator: creator.username, at: joined },
      ...EARLY_FOLLOWERS.flatMap((username, position): (ActionInput & { at: Date })[] => [
        { kind: 'follow', username, creator: creator.username, at: addHours(3 + 19 * position) },
        ...ownPosts.slice(position).map(({ post, index }) => ({
          ...{
            kind: 'like' as const,
            username,
            post: index,
            at: addHours(1 + 5 * position, getPublishTime(post, epoch)),
          },
        })),
      ]),
      ...ownPosts.flatMap(({ post, index }) =>
        post.price > 0
          ? [
              {
                kind: 'unlock' as const,
                username: 'meiling.zhou',
                post: index,
                at: addHours(2, getPublishTime(post, epoch)),
              },
            ]
          : [],
      ),
    ];
  });
}

/** These actions make sure that today is not empty. */
function listRecentActions(epoch: Date): (ActionInput & { at: Date })[] {
  const subtractMinutes = (minutes: number) => new Date(epoch.getTime() - minutes * MINUTE_MS);
  const newest = POSTS.findLastIndex((post) => post.creator === 'mirele');
  const createTip = (username: string, usd: number, at: Date, post?: number): ActionInput & { at: Date } => ({
    kind: 'tip',
    username,
    creator: 'demo.creator',
    usd,
    post,
    note: '',
    at,
  });
  return [
    createTip('noor.haddad', 20, subtractMinutes(41)),
    createTip('grace.okafor', 8, subtractMinutes(3 * 60 + 12), newest),
    { kind: 'unlock', username: 'mateus.figueira', post: newest, at: subtractMinutes(96) },
    { kind: 'unlock', username: 'chiara.santin', post: newest, at: subtractMinutes(5 * 60 + 33) },
  ];
}

/** The deposit was spent, partly refunded, then charged back, so that the fan is in debt. */
function listDebtActions(epoch: Date): (ActionInput & { at: Date })[] {
  const subtractDays = (days: number) => new Date(epoch.getTime() - days * DAY_MS);
  const username = DEBTOR.username;
  const createTip = (usd: number, creator: string, at: Date): ActionInput & { at: Date } => ({
    ...{ kind: 'tip', username, creator, usd, post: undefined, note: '', at },
  });
  const paid = DEBTOR.deposits.map(({ daysAgo, usd }): ActionInput & { at: Date } => ({
    ...{ kind: 'deposit', username, usd, isDeclined: false, at: subtractDays(daysAgo) },
  }));
  const reverse = (event: 'Refund' | 'Chargeback', usd: number, at: Date) =>
    paid.slice(0, 1).map((action): ActionInput & { at: Date } => ({
      ...{ kind: 'reversal', username, deposit: toActionKey(action), event, usd, at },
    }));
  return [
    { kind: 'join', username, at: subtractDays(20.2) },
    { kind: 'follow', username, creator: 'demo.creator', at: subtractDays(20.1) },
    ...paid,
    createTip(120, 'demo.creator', subtractDays(19.4)),
    createTip(60, 'ines.valadao', subtractDays(17.2)),
    ...reverse('Refund', 51, subtractDays(12.3)),
    ...reverse('Chargeback', 255, subtractDays(6.6)),
  ];
}

function toActionKey(action: ActionInput & { at: Date }): string {
  if (action.kind === 'join') return `join:${action.username}`;
  if (action.kind === 'open') return `open:${action.creator}`;
  if (action.kind === 'post') return `post:${action.post}`;
  if (action.kind === 'say') return `say:${action.creator}:${action.fan}:${action.at.getTime()}`;
  if (action.kind === 'settlement') return `settlement:${action.day}`;
  if (action.kind === 'tier') return `tier:${action.creator}:${action.name}:${action.isRepriced}`;
  if (action.kind === 'offer') return `offer:${action.creator}:${action.code}`;
  if (action.kind === 'subscription') return `subscription:${action.step}:${action.username}:${action.creator}`;
  if (action.kind === 'follow') return `follow:${action.username}:${action.creator}`;
  if (action.kind === 'like' || action.kind === 'unlock') return `${action.kind}:${action.username}:${action.post}`;
  return `${action.kind}:${action.username}:${action.at.getTime()}`;
}

function getPrice(action: DemoAction): number | undefined {
  if (action.kind === 'tip') return action.usd;
  if (action.kind === 'call') return calculateCallCost(action);
  return action.kind === 'unlock' ? (POSTS[action.post]?.price ?? 0) : undefined;
}

/** An action happens once, before `epoch`, and only with enough money. */
function createFilter(epoch: Date): (action: DemoAction) => boolean {
  const seen = new Set<string>();
  const wallets = new Map<string, number>();
  const remaining = new Map(
    ALL_FANS.map((fan) => {
      const paidIn = fan.deposits.reduce((sum, { usd }) => sum + usd, 0);
      return [fan.username, paidIn - (REMAINING_USD[fan.username] ?? MIN_REMAINING_USD)];
    }),
  );
  return (action) => {
    if (seen.has(action.key) || action.at.getTime() > epoch.getTime() - MINUTE_MS) return false;
    seen.add(action.key);
    if ('isReserved' in action && action.isReserved) return true;
    if (action.kind === 'deposit' && !action.isDeclined)
      wallets.set(action.username, (wallets.get(action.username) ?? 0) + action.usd);
    const price = getPrice(action);
    if (price === undefined || !('username' in action)) return true;
    const wallet = wallets.get(action.username) ?? 0;
    const remainingUsd = remaining.get(action.username) ?? 0;
    if (wallet < price || remainingUsd < price) return false;
    wallets.set(action.username, wallet - price);
    remaining.set(action.username, remainingUsd - price);
    return true;
  };
}

function addTipNotes(actions: readonly DemoAction[], epoch: Date): DemoAction[] {
  const used = new Set<string>();
  let tips = 0;
  return actions.map((action) => {
    if (action.kind !== 'tip') return action;
    tips += 1;
    if (tips % 3 === 2) return action;
    const creator = CREATORS.find(({ username }) => username === action.creator);
    const matchingNote = NOTES[creator?.key ?? '']?.find(([text, after]) => {
      if (used.has(text)) return false;
      const post = POSTS.find(({ pictures }) => pictures.some(({ file }) => file === after));
      return !post || getPublishTime(post, epoch).getTime() + DAY_MS < action.at.getTime();
    });
    if (!matchingNote) return action;
    used.add(matchingNote[0]);
    return { ...action, note: matchingNote[0] };
  });
}

export function createHistory(epoch: Date): DemoAction[] {
  const random = createSeededRandom(1_946);
  const published = POSTS.map((post, index) => ({
    kind: 'post' as const,
    post: index,
    at: getPublishTime(post, epoch),
  }));
  const all = [
    ...published,
    ...[...FANS, ...AUDIENCE].flatMap((fan) => listFanActions(fan, epoch, random)),
    ...listCreatorLikes(epoch, random),
    ...listNewCreatorActions(epoch),
    ...listRecentActions(epoch),
    ...listDebtActions(epoch),
    ...listCallActions(epoch),
    ...listMessageActions(epoch),
    ...listPayoutActions(epoch),
    ...listSubscriptionActions(epoch),
  ];
  const actions = all
    .map((action) => ({ ...action, key: toActionKey(action) }))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const performed = addTipNotes(actions.filter(createFilter(epoch)), epoch);
  const settlements = listSettlementActions(performed, epoch).map((action) => ({
    ...action,
    key: toActionKey(action),
  }));
  return [...performed, ...settlements].sort((a, b) => a.at.getTime() - b.at.getTime());
}

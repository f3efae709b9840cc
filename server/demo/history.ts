/** Eight weeks of actions. The same `epoch` always gives the same list, so that an interrupted start can continue. */

import { seeded } from '../kernel/seeded.ts';
import { type CallAct, callsUntil, costOf } from './calls.ts';
import { type SayAct, talksUntil } from './chats.ts';
import type { DemoPost } from './label.ts';
import { type PayoutAct, payoutsUntil } from './payouts.ts';
import { POSTS } from './posts.ts';
import { type SettlementAct, settlementsOf } from './settlements.ts';
import { AUDIENCE, CREATORS, DEBTOR, type DemoCreator, type DemoFan, FANS, NOTES, PAID_TWICE } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Done =
  | { kind: 'join'; who: string }
  | { kind: 'open'; creator: string }
  | { kind: 'deposit'; who: string; usd: number; isDeclined: boolean; isToldTwice?: boolean }
  /** `deposit` is the key of the deposit's action. `usd` is the part of the card payment that is returned. */
  | { kind: 'takeBack'; who: string; deposit: string; event: 'Refund' | 'Chargeback'; usd: number }
  | { kind: 'follow'; who: string; creator: string }
  | { kind: 'post'; post: number }
  | { kind: 'like'; who: string; post: number }
  | { kind: 'unlock'; who: string; post: number }
  | { kind: 'tip'; who: string; creator: string; usd: number; post: number | undefined; note: string }
  | CallAct
  | SayAct
  | PayoutAct
  | SettlementAct;
/** `post` is an index into POSTS, `key` is unique. */
export type Act = Done & { at: Date; key: string };

export const EVERY_FAN: readonly DemoFan[] = [...FANS, ...AUDIENCE, DEBTOR];
const TIPS_USD = [3, 5, 5, 5, 8, 10, 10, 12, 15, 20, 25, 40] as const;
const KEEPS_USD: Readonly<Record<string, number>> = { 'demo.fan': 540, [DEBTOR.username]: 0 };
const KEEPS_AT_LEAST_USD = 11;

/** `epoch` is the time of the first start. */
export function publishedAt(post: DemoPost, epoch: Date): Date {
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

export function joinedAt(creator: Pick<DemoCreator, 'joinedDaysAgo'>, epoch: Date): Date {
  return new Date(epoch.getTime() - creator.joinedDaysAgo * DAY_MS);
}

function wishes(fan: DemoFan, epoch: Date, random: () => number): (Done & { at: Date })[] {
  const now = epoch.getTime();
  const who = fan.username;
  const acts: (Done & { at: Date })[] = [];
  const add = (ms: number, done: Done) => acts.push({ ...done, at: new Date(Math.round(ms)) });
  const first = Math.max(...fan.deposits.map(({ daysAgo }) => daysAgo));
  const joined = now - first * DAY_MS - (2 + 28 * random()) * HOUR_MS;
  add(joined, { kind: 'join', who });
  fan.deposits.forEach(({ daysAgo, usd }, index) => {
    const at = now - daysAgo * DAY_MS + random() * 9 * HOUR_MS;
    if (index === 1 && who === 'demo.fan') add(at - 4 * MINUTE_MS, { kind: 'deposit', who, usd, isDeclined: true });
    add(at, { kind: 'deposit', who, usd, isDeclined: false, isToldTwice: index === 0 && who === PAID_TWICE });
  });

  for (const creator of CREATORS) {
    if (hasJustJoined(creator)) continue;
    const isLoved = fan.loves.includes(creator.key);
    if (!isLoved && random() > creator.draw * 0.6) continue;
    const waited = isLoved ? (5 + 115 * random()) * MINUTE_MS : random() ** 1.5 * 0.9 * (now - joined);
    const followed = Math.max(joined + waited, joinedAt(creator, epoch).getTime() + HOUR_MS);
    add(followed, { kind: 'follow', who, creator: creator.username });
    POSTS.forEach((post, index) => {
      if (post.creator !== creator.key) return;
      const published = publishedAt(post, epoch).getTime();
      const isOld = published < followed;
      if (isOld && random() > 0.5) return;
      const delay = Math.min(9 * DAY_MS, 8 * MINUTE_MS - Math.log(1 - random()) * 18 * HOUR_MS);
      const seen = isOld ? followed + (2 + 58 * random()) * MINUTE_MS : published + delay;
      if (random() < 0.36 + 0.4 * fan.warmth) add(seen + MINUTE_MS, { kind: 'like', who, post: index });
      const wants = Math.max(0.04, (isLoved ? 0.38 : 0.12) + 0.35 * fan.warmth - post.price / 110);
      if (post.price > 0 && random() < wants) add(seen + 2 * MINUTE_MS, { kind: 'unlock', who, post: index });
    });
    const tips = Math.round(random() * fan.warmth * (0.5 + creator.draw) * (isLoved ? 7 : 2));
    for (let index = 0; index < tips; index += 1) {
      const at = followed + HOUR_MS + random() * (now - followed);
      const earlier = POSTS.findLastIndex(
        (post) => post.creator === creator.key && publishedAt(post, epoch).getTime() < at,
      );
      const post = random() < 0.5 && earlier >= 0 ? earlier : undefined;
      const usd = TIPS_USD[Math.floor(random() * TIPS_USD.length)] ?? 5;
      add(at, { kind: 'tip', who, creator: creator.username, usd, post, note: '' });
    }
  }
  return acts;
}

function neighbours(epoch: Date, random: () => number): (Done & { at: Date })[] {
  return CREATORS.flatMap((creator) =>
    POSTS.flatMap((post, index) => {
      if (post.creator === creator.key || random() > 0.22) return [];
      const at = new Date(publishedAt(post, epoch).getTime() + Math.round((0.2 + 40 * random()) * HOUR_MS));
      if (at < joinedAt(creator, epoch)) return [];
      return [{ kind: 'like' as const, who: creator.username, post: index, at }];
    }),
  );
}

const FOUND_BY = ['meiling.zhou', 'ottilie.brandt', 'linh.pham', 'leilani.kahale'];

function newcomers(epoch: Date): (Done & { at: Date })[] {
  return CREATORS.filter(hasJustJoined).flatMap((creator) => {
    const joined = joinedAt(creator, epoch);
    const later = (hours: number, from = joined) => new Date(from.getTime() + hours * HOUR_MS);
    const own = POSTS.flatMap((post, index) => (post.creator === creator.key ? [{ post, index }] : []));
    return [
      { kind: 'open' as const, creator: creator.username, at: joined },
      ...FOUND_BY.flatMap((who, place): (Done & { at: Date })[] => [
        { kind: 'follow', who, creator: creator.username, at: later(3 + 19 * place) },
        ...own.slice(place).map(({ post, index }) => ({
          ...{ kind: 'like' as const, who, post: index, at: later(1 + 5 * place, publishedAt(post, epoch)) },
        })),
      ]),
      ...own.flatMap(({ post, index }) =>
        post.price > 0
          ? [{ kind: 'unlock' as const, who: 'meiling.zhou', post: index, at: later(2, publishedAt(post, epoch)) }]
          : [],
      ),
    ];
  });
}

/** These actions make sure that today is not empty. */
function lately(epoch: Date): (Done & { at: Date })[] {
  const ago = (minutes: number) => new Date(epoch.getTime() - minutes * MINUTE_MS);
  const newest = POSTS.findLastIndex((post) => post.creator === 'mirele');
  const tip = (who: string, usd: number, at: Date, post?: number): Done & { at: Date } => ({
    kind: 'tip',
    who,
    creator: 'demo.creator',
    usd,
    post,
    note: '',
    at,
  });
  return [
    tip('noor.haddad', 20, ago(41)),
    tip('grace.okafor', 8, ago(3 * 60 + 12), newest),
    { kind: 'unlock', who: 'mateus.figueira', post: newest, at: ago(96) },
    { kind: 'unlock', who: 'chiara.santin', post: newest, at: ago(5 * 60 + 33) },
  ];
}

/** The deposit was spent, partly refunded, then charged back, so that the fan is in debt. */
function debt(epoch: Date): (Done & { at: Date })[] {
  const ago = (days: number) => new Date(epoch.getTime() - days * DAY_MS);
  const who = DEBTOR.username;
  const tip = (usd: number, creator: string, at: Date): Done & { at: Date } => ({
    ...{ kind: 'tip', who, creator, usd, post: undefined, note: '', at },
  });
  const paid = DEBTOR.deposits.map(({ daysAgo, usd }): Done & { at: Date } => ({
    ...{ kind: 'deposit', who, usd, isDeclined: false, at: ago(daysAgo) },
  }));
  const back = (event: 'Refund' | 'Chargeback', usd: number, at: Date) =>
    paid.slice(0, 1).map((act): Done & { at: Date } => ({
      ...{ kind: 'takeBack', who, deposit: keyOf(act), event, usd, at },
    }));
  return [
    { kind: 'join', who, at: ago(20.2) },
    { kind: 'follow', who, creator: 'demo.creator', at: ago(20.1) },
    ...paid,
    tip(120, 'demo.creator', ago(19.4)),
    tip(60, 'ines.valadao', ago(17.2)),
    ...back('Refund', 51, ago(12.3)),
    ...back('Chargeback', 255, ago(6.6)),
  ];
}

function keyOf(act: Done & { at: Date }): string {
  if (act.kind === 'join') return `join:${act.who}`;
  if (act.kind === 'open') return `open:${act.creator}`;
  if (act.kind === 'post') return `post:${act.post}`;
  if (act.kind === 'say') return `say:${act.creator}:${act.fan}:${act.at.getTime()}`;
  if (act.kind === 'settlement') return `settlement:${act.day}`;
  if (act.kind === 'follow') return `follow:${act.who}:${act.creator}`;
  if (act.kind === 'like' || act.kind === 'unlock') return `${act.kind}:${act.who}:${act.post}`;
  return `${act.kind}:${act.who}:${act.at.getTime()}`;
}

function priceOf(act: Act): number | undefined {
  if (act.kind === 'tip') return act.usd;
  if (act.kind === 'call') return costOf(act);
  return act.kind === 'unlock' ? (POSTS[act.post]?.price ?? 0) : undefined;
}

/** An action happens once, before `epoch`, and only with enough money. */
function createJudge(epoch: Date): (act: Act) => boolean {
  const seen = new Set<string>();
  const wallets = new Map<string, number>();
  const left = new Map(
    EVERY_FAN.map((fan) => {
      const paidIn = fan.deposits.reduce((sum, { usd }) => sum + usd, 0);
      return [fan.username, paidIn - (KEEPS_USD[fan.username] ?? KEEPS_AT_LEAST_USD)];
    }),
  );
  return (act) => {
    if (seen.has(act.key) || act.at.getTime() > epoch.getTime() - MINUTE_MS) return false;
    seen.add(act.key);
    if (act.kind === 'deposit' && !act.isDeclined) wallets.set(act.who, (wallets.get(act.who) ?? 0) + act.usd);
    const price = priceOf(act);
    if (price === undefined || !('who' in act)) return true;
    const wallet = wallets.get(act.who) ?? 0;
    const mayStillSpend = left.get(act.who) ?? 0;
    if (wallet < price || mayStillSpend < price) return false;
    wallets.set(act.who, wallet - price);
    left.set(act.who, mayStillSpend - price);
    return true;
  };
}

function withNotes(acts: readonly Act[], epoch: Date): Act[] {
  const used = new Set<string>();
  let tips = 0;
  return acts.map((act) => {
    if (act.kind !== 'tip') return act;
    tips += 1;
    if (tips % 3 === 2) return act;
    const creator = CREATORS.find(({ username }) => username === act.creator);
    const fitting = NOTES[creator?.key ?? '']?.find(([text, after]) => {
      if (used.has(text)) return false;
      const post = POSTS.find(({ pictures }) => pictures.some(({ file }) => file === after));
      return !post || publishedAt(post, epoch).getTime() + DAY_MS < act.at.getTime();
    });
    if (!fitting) return act;
    used.add(fitting[0]);
    return { ...act, note: fitting[0] };
  });
}

export function tellHistory(epoch: Date): Act[] {
  const random = seeded(1_946);
  const published = POSTS.map((post, index) => ({ kind: 'post' as const, post: index, at: publishedAt(post, epoch) }));
  const all = [
    ...published,
    ...[...FANS, ...AUDIENCE].flatMap((fan) => wishes(fan, epoch, random)),
    ...neighbours(epoch, random),
    ...newcomers(epoch),
    ...lately(epoch),
    ...debt(epoch),
    ...callsUntil(epoch),
    ...talksUntil(epoch),
    ...payoutsUntil(epoch),
  ];
  const acts = all.map((act) => ({ ...act, key: keyOf(act) })).sort((a, b) => a.at.getTime() - b.at.getTime());
  const happened = withNotes(acts.filter(createJudge(epoch)), epoch);
  const settled = settlementsOf(happened, epoch).map((act) => ({ ...act, key: keyOf(act) }));
  return [...happened, ...settled].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/**
 * What operators have stopped, maintenance, what they announce and the prices that they limit otherwise: asked in one place before anything is done. Every process keeps it for a moment; it is
 * told of changes at once, and reads again within seconds when it was not (docs/decisions/0153).
 */

import type { UserType } from '@stagedoor/contract/accounts.ts';
import { type AnnouncementAudience, type announcement, isFor } from '@stagedoor/contract/atoms/announcements.ts';
import { hasClosed } from '@stagedoor/contract/atoms/closed-notices.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { PriceLimits } from '@stagedoor/contract/atoms/prices.ts';
import type { AnswerOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import type { SwitchName } from '@stagedoor/contract/atoms/switches.ts';
import type { readHouse } from '@stagedoor/contract/house.ts';
import type * as z from 'zod/mini';
import type { Logger } from './log.ts';
import type { Actor } from './session.ts';

/** What is stopped, and the words for it. */
export type Stopped = Readonly<Partial<Record<SwitchName, string>>>;
/** An announcement that stands or will, and for whom. */
export type Announced = {
  readonly announcement: z.input<typeof announcement>;
  readonly audience: AnnouncementAudience;
  readonly from: Date;
  readonly until: Date;
};
export type House = {
  readonly stopped: Stopped;
  /** The words for people while there is maintenance. */
  readonly maintenance: string | undefined;
  readonly announced: readonly Announced[];
  /** Limits of prices that are not the release's, to be shown: who charges asks the database. */
  readonly prices: Partial<PriceLimits>;
};

/** Who asks what is announced, with the cookie of what they closed. */
export type Hearer = { readonly userId: string; readonly type: UserType; readonly closed: string | undefined };

/** What somebody is told is closed with the page that they see: who acts for a creator sees theirs. */
export const hearerOf = ({ userId, type, actingFor }: Actor, closed: string | undefined): Hearer => ({
  userId: actingFor?.creator.userId ?? userId,
  type,
  closed,
});

/** What of it is said to them at this moment, and when that changes by itself; nothing where there is nothing. */
export function saidTo(
  { stopped, maintenance, announced, prices }: House,
  hearer: Hearer | undefined,
  now: Date,
): Said {
  const theirs = hearer ? announced.filter(({ audience, until }) => isFor(audience, hearer.type) && until > now) : [];
  const isClosed = ({ id, isDismissable }: Announced['announcement']) =>
    isDismissable && hearer !== undefined && hasClosed(hearer.closed, hearer.userId, id);
  const announcements = theirs.flatMap(({ announcement: one, from }) => (from <= now && !isClosed(one) ? [one] : []));
  const turns = theirs.map(({ from, until }) => (from > now ? from : until).getTime());
  return {
    ...(Object.keys(stopped).length > 0 && { stopped }),
    ...(maintenance !== undefined && { maintenance }),
    ...(announcements.length > 0 && { announcements }),
    ...(Object.keys(prices).length > 0 && { prices }),
    ...(turns.length > 0 && { changesAt: new Date(Math.min(...turns)).toISOString() }),
  };
}
type Said = AnswerOf<typeof readHouse>;

export interface Switches {
  /** As it stands: at most {@link KEPT_MS} old. */
  house(): Promise<House>;
  /** Throws STOPPED with the words for it. */
  require(name: SwitchName): Promise<void>;
  /** Set by the switches room, once. */
  use(read: () => Promise<House>): void;
  /** Reads anew when it is next asked. */
  forget(): void;
}

/** Where nothing told of a change, it holds after so long. */
const KEPT_MS = 3_000;
const AGAIN_MS = 1_000;
/** When whoever was refused may ask again. */
const RETRY_SECONDS = 300;
const OPEN: House = { stopped: {}, maintenance: undefined, announced: [], prices: {} };

export function createSwitches(log: Logger): Switches {
  let read = async (): Promise<House> => OPEN;
  let known = OPEN;
  let until = 0;
  let readings = 0;
  let reading: Promise<House> | undefined;

  async function refresh(): Promise<House> {
    readings += 1;
    const own = readings;
    try {
      const house = await read();
      // What was turned meanwhile may not be in it: whoever asks next reads again.
      if (own === readings) [known, until] = [house, performance.now() + KEPT_MS];
      return house;
    } catch (error) {
      log.warn({ err: error }, 'what operators have stopped could not be read; it stays as it was');
      until = performance.now() + AGAIN_MS;
      return known;
    } finally {
      if (own === readings) reading = undefined;
    }
  }

  const house = async () => {
    if (performance.now() < until) return known;
    reading ??= refresh();
    return reading;
  };
  return {
    house,
    require: async (name) => {
      const message = (await house()).stopped[name];
      if (message !== undefined) throw new AppError('STOPPED', { message, retryAfterSeconds: RETRY_SECONDS });
    },
    use: (reader) => {
      read = reader;
    },
    forget: () => {
      until = 0;
      readings += 1;
      reading = undefined;
    },
  };
}

/** What a route is held by: what it names, and whatever takes files by uploads. */
export function switchesOf({ switches = [], rate }: Pick<RouteSpec, 'switches' | 'rate'>): readonly SwitchName[] {
  return rate === 'upload' ? [...switches, 'uploads'] : switches;
}

type Held = Pick<RouteSpec, 'method' | 'switches' | 'rate' | 'goesOn'>;

/** Whether maintenance refuses it, of whoever is no operator. */
export function isHeldByMaintenance({ method, goesOn, auth }: Held & { auth?: RouteSpec['auth'] }): boolean {
  return method !== 'GET' && !goesOn && auth !== 'operator';
}

/** Refuses what is stopped, and in maintenance every change but those of operators and what has to go on. */
export async function requireGoing(switches: Switches, route: Held, actor: Actor | undefined): Promise<void> {
  if (route.method === 'GET') return;
  const { maintenance } = await switches.house();
  if (maintenance !== undefined && isHeldByMaintenance(route) && actor?.type !== 'operator')
    throw new AppError('MAINTENANCE', { message: maintenance, retryAfterSeconds: RETRY_SECONDS });
  for (const name of switchesOf(route)) await switches.require(name);
}

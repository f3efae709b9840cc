/**
 * Site status set by operators, checked before every action. Cached per process for seconds and read again when it
 * changes (docs/adr/0023).
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

export type Stopped = Readonly<Partial<Record<SwitchName, string>>>;
export type Announced = {
  readonly announcement: z.input<typeof announcement>;
  readonly audience: AnnouncementAudience;
  readonly from: Date;
  readonly until: Date;
};
export type House = {
  readonly stopped: Stopped;
  readonly maintenance: string | undefined;
  readonly announced: readonly Announced[];
  /** Price limits that differ from the defaults, for display. Charges read them from the database. */
  readonly prices: Partial<PriceLimits>;
};

export type Hearer = { readonly userId: string; readonly type: UserType; readonly closed: string | undefined };

/** While a member acts for a creator, the dismissed announcements are those of the creator. */
export const hearerOf = ({ userId, type, actingFor }: Actor, closed: string | undefined): Hearer => ({
  userId: actingFor?.creator.userId ?? userId,
  type,
  closed,
});

/** Returns what the viewer sees at this moment, and when it next changes by itself. */
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
  /** At most {@link KEPT_MS} old. */
  house(): Promise<House>;
  /** Throws STOPPED with the operator's message. */
  require(name: SwitchName): Promise<void>;
  use(read: () => Promise<House>): void;
  forget(): void;
}

const KEPT_MS = 3_000;
const AGAIN_MS = 1_000;
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
      // The result may miss a change during the read, so it is not cached.
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

export function switchesOf({ switches = [], rate }: Pick<RouteSpec, 'switches' | 'rate'>): readonly SwitchName[] {
  return rate === 'upload' ? [...switches, 'uploads'] : switches;
}

type Held = Pick<RouteSpec, 'method' | 'switches' | 'rate' | 'goesOn'>;

/** Whether maintenance refuses a route to anyone but operators. */
export function isHeldByMaintenance({ method, goesOn, auth }: Held & { auth?: RouteSpec['auth'] }): boolean {
  return method !== 'GET' && !goesOn && auth !== 'operator';
}

/**
 * Throws STOPPED for a disabled feature, and MAINTENANCE for changes during maintenance, except by operators and on
 * routes that stay available.
 */
export async function requireGoing(switches: Switches, route: Held, actor: Actor | undefined): Promise<void> {
  if (route.method === 'GET') return;
  const { maintenance } = await switches.house();
  if (maintenance !== undefined && isHeldByMaintenance(route) && actor?.type !== 'operator')
    throw new AppError('MAINTENANCE', { message: maintenance, retryAfterSeconds: RETRY_SECONDS });
  for (const name of switchesOf(route)) await switches.require(name);
}

/**
 * Site status set by operators, checked before every action. Cached per process for seconds and read again when it
 * changes (docs/adr/0023).
 */

import type { getSiteStatus } from '@stagedoor/contract/commerce/site-status.ts';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import {
  type AnnouncementAudience,
  type announcement,
  isInAudience,
} from '@stagedoor/contract/shared/announcements.ts';
import { isDismissed } from '@stagedoor/contract/shared/dismissed-announcements.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { KillSwitch } from '@stagedoor/contract/shared/kill-switches.ts';
import type { PriceLimits } from '@stagedoor/contract/shared/prices.ts';
import type { ResponseInputOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import type * as z from 'zod/mini';
import type { Logger } from './log.ts';
import type { Actor } from './security/session.ts';

export type DisabledFeatures = Readonly<Partial<Record<KillSwitch, string>>>;
export type ActiveAnnouncement = {
  readonly announcement: z.input<typeof announcement>;
  readonly audience: AnnouncementAudience;
  readonly from: Date;
  readonly until: Date;
};
export type SiteStatusSnapshot = {
  readonly disabledFeatures: DisabledFeatures;
  readonly maintenance: string | undefined;
  readonly announced: readonly ActiveAnnouncement[];
  /** Price limits that differ from the defaults, for display. Charges read them from the database. */
  readonly prices: Partial<PriceLimits>;
};

export type StatusViewer = {
  readonly userId: string;
  readonly type: UserType;
  readonly dismissedCookie: string | undefined;
};

/** While a member acts for a creator, the dismissed announcements are those of the creator. */
export const toStatusViewer = (
  { userId, type, onBehalfOf }: Actor,
  dismissedCookie: string | undefined,
): StatusViewer => ({
  userId: onBehalfOf?.creator.userId ?? userId,
  type,
  dismissedCookie,
});

/** Returns what the viewer sees at this moment, and when it next changes by itself. */
export function presentSiteStatus(
  { disabledFeatures, maintenance, announced, prices }: SiteStatusSnapshot,
  viewer: StatusViewer | undefined,
  now: Date,
): SiteStatusView {
  const visible = viewer
    ? announced.filter(({ audience, until }) => isInAudience(audience, viewer.type) && until > now)
    : [];
  const isHidden = ({ id, isDismissable }: ActiveAnnouncement['announcement']) =>
    isDismissable && viewer !== undefined && isDismissed(viewer.dismissedCookie, viewer.userId, id);
  const announcements = visible.flatMap(({ announcement, from }) =>
    from <= now && !isHidden(announcement) ? [announcement] : [],
  );
  const changeTimes = visible.map(({ from, until }) => (from > now ? from : until).getTime());
  return {
    ...(Object.keys(disabledFeatures).length > 0 && { disabledFeatures }),
    ...(maintenance !== undefined && { maintenance }),
    ...(announcements.length > 0 && { announcements }),
    ...(Object.keys(prices).length > 0 && { prices }),
    ...(changeTimes.length > 0 && { changesAt: new Date(Math.min(...changeTimes)).toISOString() }),
  };
}
type SiteStatusView = ResponseInputOf<typeof getSiteStatus>;

export interface SiteStatusCache {
  /** At most {@link CACHE_TTL_MS} old. */
  get(): Promise<SiteStatusSnapshot>;
  /** Throws FEATURE_DISABLED with the operator's message. */
  requireEnabled(name: KillSwitch): Promise<void>;
  setReader(read: () => Promise<SiteStatusSnapshot>): void;
  invalidate(): void;
}

const CACHE_TTL_MS = 3_000;
const RETRY_MS = 1_000;
const RETRY_SECONDS = 300;
const DEFAULT_STATUS: SiteStatusSnapshot = { disabledFeatures: {}, maintenance: undefined, announced: [], prices: {} };

export function createSiteStatusCache(log: Logger): SiteStatusCache {
  let read = async (): Promise<SiteStatusSnapshot> => DEFAULT_STATUS;
  let cached = DEFAULT_STATUS;
  let expiresAt = 0;
  let readings = 0;
  let reading: Promise<SiteStatusSnapshot> | undefined;

  async function refresh(): Promise<SiteStatusSnapshot> {
    readings += 1;
    const ownReading = readings;
    try {
      const freshStatus = await read();
      // The result may miss a change during the read, so it is not cached.
      if (ownReading === readings) [cached, expiresAt] = [freshStatus, performance.now() + CACHE_TTL_MS];
      return freshStatus;
    } catch (error) {
      log.warn({ err: error }, 'what operators have stopped could not be read; it stays as it was');
      expiresAt = performance.now() + RETRY_MS;
      return cached;
    } finally {
      if (ownReading === readings) reading = undefined;
    }
  }

  const getStatus = async () => {
    if (performance.now() < expiresAt) return cached;
    reading ??= refresh();
    return reading;
  };
  return {
    get: getStatus,
    requireEnabled: async (name) => {
      const message = (await getStatus()).disabledFeatures[name];
      if (message !== undefined) throw new AppError('FEATURE_DISABLED', { message, retryAfterSeconds: RETRY_SECONDS });
    },
    setReader: (reader) => {
      read = reader;
    },
    invalidate: () => {
      expiresAt = 0;
      readings += 1;
      reading = undefined;
    },
  };
}

export function listKillSwitches({
  killSwitches = [],
  rate,
}: Pick<RouteSpec, 'killSwitches' | 'rate'>): readonly KillSwitch[] {
  return rate === 'upload' ? [...killSwitches, 'uploads'] : killSwitches;
}

type MaintainedRoute = Pick<RouteSpec, 'method' | 'killSwitches' | 'rate' | 'allowedInMaintenance'>;

/** Whether maintenance refuses a route to anyone but operators. */
export function isBlockedByMaintenance({
  method,
  allowedInMaintenance,
  auth,
}: MaintainedRoute & { auth?: RouteSpec['auth'] }): boolean {
  return method !== 'GET' && !allowedInMaintenance && auth !== 'operator';
}

/**
 * Throws FEATURE_DISABLED for a disabled feature, and MAINTENANCE for changes during maintenance, except by operators and on
 * routes that stay available.
 */
export async function requireRouteEnabled(
  siteStatus: SiteStatusCache,
  route: MaintainedRoute,
  actor: Actor | undefined,
): Promise<void> {
  if (route.method === 'GET') return;
  const { maintenance } = await siteStatus.get();
  if (maintenance !== undefined && isBlockedByMaintenance(route) && actor?.type !== 'operator')
    throw new AppError('MAINTENANCE', { message: maintenance, retryAfterSeconds: RETRY_SECONDS });
  for (const name of listKillSwitches(route)) await siteStatus.requireEnabled(name);
}

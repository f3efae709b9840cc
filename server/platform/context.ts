import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database/db.ts';
import type { Events } from './events/events.ts';
import type { ProcessRegistry } from './events/process-registry.ts';
import type { GeoBlocking } from './geo.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { RateLimits } from './limits/rate-limit.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Redis } from './realtime/redis.ts';
import type { SecurityLogger } from './security/security-log.ts';
import type { SessionCache } from './security/session.ts';
import type { SiteStatusCache } from './site-status.ts';
import type { Scanner } from './storage/scanner.ts';
import type { Storage } from './storage/storage.ts';

export type Context = {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: Events;
  readonly jobs: Jobs;
  readonly limits: RateLimits;
  readonly mailer: Mailer;
  readonly processRegistry: ProcessRegistry;
  readonly geo: GeoBlocking;
  /** Identifies the app in hooks. The same object in every copy or part of the context. */
  readonly hooks: object;
  readonly realtime: Realtime;
  readonly redis: Redis | undefined;
  readonly scanner: Scanner | undefined;
  readonly security: SecurityLogger;
  readonly sessions: SessionCache;
  readonly storage: Storage;
  readonly siteStatus: SiteStatusCache;
};

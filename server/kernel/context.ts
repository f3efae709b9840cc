/** What every room is handed: the few things that reach outside the process. Small on purpose, passed explicitly. */
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db.ts';
import type { Events } from './events.ts';
import type { Jobs } from './jobs.ts';
import type { Limits } from './limits.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail.ts';
import type { Node } from './node.ts';
import type { Places } from './places.ts';
import type { Realtime } from './realtime.ts';
import type { Redis } from './redis.ts';
import type { Scanner } from './scanner.ts';
import type { SecurityLog } from './security-log.ts';
import type { Sessions } from './session.ts';
import type { Storage } from './storage.ts';
import type { Switches } from './switches.ts';

export type Context = {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly events: Events;
  readonly jobs: Jobs;
  readonly limits: Limits;
  readonly mailer: Mailer;
  /** This process among the others. */
  readonly node: Node;
  readonly places: Places;
  readonly realtime: Realtime;
  /** Where processes share one. */
  readonly redis: Redis | undefined;
  /** Where one is set. */
  readonly scanner: Scanner | undefined;
  readonly security: SecurityLog;
  readonly sessions: Sessions;
  readonly storage: Storage;
  /** What operators have stopped. */
  readonly switches: Switches;
};

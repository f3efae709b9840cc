/**
 * The cookie contains 256 random bits, the database only their SHA-256. Sessions are cached per process for a few
 * seconds and dropped when they end on any process.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import type { Limited } from '@stagedoor/contract/atoms/activities.ts';
import type { SessionId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import type { Clock } from './clock.ts';

export type Acting = {
  readonly creator: Pick<Actor, 'userId' | 'username' | 'isBlocked' | 'limited'>;
  readonly rights: readonly TeamRight[];
};

export type Actor = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly type: UserType;
  readonly username: string;
  readonly isBlocked: boolean;
  readonly hasSecondFactor: boolean;
  /** Login time of this session. A recent login counts as entering the password. */
  readonly loggedInAt: Date;
  readonly limited?: Limited | null;
  /** Without roles an operator has access to nothing. */
  readonly roles?: readonly OperatorRole[];
  readonly provenAt?: Date | null;
  /** Set while the session acts for a creator. Use `actorFor` to act on their behalf. */
  readonly actingFor?: Acting;
  readonly member?: { readonly userId: UserId; readonly rights: readonly TeamRight[] };
};

export type FindSession = (tokenHash: Buffer) => Promise<Actor | undefined>;

export type Ended = { readonly sessionIds?: readonly string[]; readonly userIds?: readonly string[] };

export type Team = {
  find(member: Actor, creatorId: UserId): Promise<Acting | undefined>;
  /** Records an action on behalf of a creator before it happens. Returns a function that records its refusal. */
  keep(actor: Actor, what: string, subject: string): Promise<() => Promise<void>>;
};

export interface Sessions {
  resolve(token: string | undefined): Promise<Actor | undefined>;
  use(find: FindSession): void;
  team: Team;
  /** Drops cached sessions. Lookups in progress are repeated. */
  forget(ended: Ended): void;
  /** Whether this process is notified of sessions that end elsewhere. Nothing is cached while it is not. */
  trust(isTold: boolean): void;
}

/** With a longer time, changes that end no session (a new name) would appear late. */
const KEPT_MS = 5_000;
const MAX_KEPT = 20_000;
/** After this many interrupted lookups the result is returned uncached. */
const MAX_READS = 3;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The users whose end also ends a session: its own, and the creator it acts for. */
export function peopleOf({ userId, actingFor }: Pick<Actor, 'userId' | 'actingFor'>): UserId[] {
  return actingFor ? [userId, actingFor.creator.userId] : [userId];
}

export function createSessions(clock: Clock): Sessions {
  let find: FindSession = async () => undefined;
  const kept = new Map<string, { actor: Actor; until: number; reading: number }>();
  let readings = 0;
  let forgotten = 0;
  let isTold = true;

  /** A result is read again if sessions ended during the lookup, because it may be older. */
  async function read(token: string): Promise<Actor | undefined> {
    for (let tries = 1; ; tries += 1) {
      readings += 1;
      const [reading, before, now] = [readings, forgotten, clock.now().getTime()];
      const actor = await find(hashToken(token));
      if (!actor) kept.delete(token);
      if (actor && before !== forgotten && tries < MAX_READS) continue;
      if (!actor || before !== forgotten || !isTold) return actor;
      const newer = kept.get(token);
      if (newer && newer.reading > reading) return newer.actor;
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(token, { actor, until: now + KEPT_MS, reading });
      return actor;
    }
  }

  return {
    team: { find: async () => undefined, keep: async () => async () => undefined },
    use: (finder) => {
      find = finder;
    },
    resolve: async (token) => {
      if (!token || !TOKEN.test(token)) return undefined;
      const known = kept.get(token);
      return known && known.until > clock.now().getTime() ? known.actor : read(token);
    },
    forget: ({ sessionIds = [], userIds = [] }) => {
      forgotten += 1;
      const [sessions, users] = [new Set<string>(sessionIds), new Set<string>(userIds)];
      for (const [token, { actor }] of kept)
        if (sessions.has(actor.sessionId) || peopleOf(actor).some((id) => users.has(id))) kept.delete(token);
    },
    trust: (told) => {
      isTold = told;
      forgotten += 1;
      kept.clear();
    },
  };
}

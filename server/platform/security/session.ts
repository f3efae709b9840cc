/**
 * The cookie contains 256 random bits, the database only their SHA-256. Sessions are cached per process for a few
 * seconds and dropped when they end on any process.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import type { SessionId, UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Restrictions } from '@stagedoor/contract/shared/restrictions.ts';
import type { Clock } from '../clock.ts';
import { defineHook } from '../hooks.ts';

export type Delegation = {
  readonly creator: Pick<Actor, 'userId' | 'username' | 'isBlocked' | 'restrictions'>;
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
  readonly restrictions?: Restrictions | null;
  /** Without roles an operator has access to nothing. */
  readonly roles?: readonly OperatorRole[];
  readonly stepUpAt?: Date | null;
  /** Set while the session acts for a creator. Use `resolveRouteActor` to act on their behalf. */
  readonly onBehalfOf?: Delegation;
  readonly member?: { readonly userId: UserId; readonly rights: readonly TeamRight[] };
};

export type FindSession = (tokenHash: Buffer) => Promise<Actor | undefined>;

export type EndedSessions = { readonly sessionIds?: readonly string[]; readonly userIds?: readonly string[] };

/** How sessions act for creators. */
export type TeamDelegation = {
  findDelegation(member: Actor, creatorId: UserId): Promise<Delegation | undefined>;
  /** Records an action on behalf of a creator before it happens. Returns a function that records its refusal. */
  recordAction(actor: Actor, actionName: string, subject: string): Promise<() => Promise<void>>;
};

export const teamDelegation = defineHook<TeamDelegation>('platform.teamDelegation');
export const registerTeamDelegation = teamDelegation.register;

export interface SessionCache {
  resolve(token: string | undefined): Promise<Actor | undefined>;
  setFinder(find: FindSession): void;
  /** Drops cached sessions. Lookups in progress are repeated. */
  invalidate(endedSessions: EndedSessions): void;
  /** Whether this process is notified of sessions that end elsewhere. Nothing is cached while it is not. */
  setListening(isListening: boolean): void;
}

/** With a longer time, changes that end no session (a new name) would appear late. */
const CACHE_TTL_MS = 5_000;
const MAX_CACHED = 20_000;
/** After this many interrupted lookups the result is returned uncached. */
const MAX_READS = 3;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function createToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The users whose end also ends a session: its own, and the creator it acts for. */
export function listUserIds({ userId, onBehalfOf }: Pick<Actor, 'userId' | 'onBehalfOf'>): UserId[] {
  return onBehalfOf ? [userId, onBehalfOf.creator.userId] : [userId];
}

export function createSessionCache(clock: Clock): SessionCache {
  let find: FindSession = async () => undefined;
  const cache = new Map<string, { actor: Actor; until: number; reading: number }>();
  let readings = 0;
  let invalidations = 0;
  let isListening = true;

  /** A result is read again if sessions ended during the lookup, because it may be older. */
  async function read(token: string): Promise<Actor | undefined> {
    for (let tries = 1; ; tries += 1) {
      readings += 1;
      const [reading, before, now] = [readings, invalidations, clock.now().getTime()];
      const actor = await find(hashToken(token));
      if (!actor) cache.delete(token);
      if (actor && before !== invalidations && tries < MAX_READS) continue;
      if (!actor || before !== invalidations || !isListening) return actor;
      const newer = cache.get(token);
      if (newer && newer.reading > reading) return newer.actor;
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(token, { actor, until: now + CACHE_TTL_MS, reading });
      return actor;
    }
  }

  return {
    setFinder: (finder) => {
      find = finder;
    },
    resolve: async (token) => {
      if (!token || !TOKEN.test(token)) return undefined;
      const known = cache.get(token);
      return known && known.until > clock.now().getTime() ? known.actor : read(token);
    },
    invalidate: ({ sessionIds = [], userIds = [] }) => {
      invalidations += 1;
      const [sessions, users] = [new Set<string>(sessionIds), new Set<string>(userIds)];
      for (const [token, { actor }] of cache)
        if (sessions.has(actor.sessionId) || listUserIds(actor).some((id) => users.has(id))) cache.delete(token);
    },
    setListening: (nowListening) => {
      isListening = nowListening;
      invalidations += 1;
      cache.clear();
    },
  };
}

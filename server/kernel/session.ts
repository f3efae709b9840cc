/**
 * Who is calling. The cookie carries 256 random bits; the database knows only their SHA-256. What the accounts room finds
 * is kept for a few seconds a process, and forgotten when a session ends, on whichever process it ends.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import type { Limited } from '@stagedoor/contract/atoms/activities.ts';
import type { SessionId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import type { Clock } from './clock.ts';

/** For whom a session acts, as one of their team. */
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
  /** Whether logging in asks them for a code besides. */
  readonly hasSecondFactor: boolean;
  /** When this session logged in: recent enough stands for having given the password. */
  readonly loggedInAt: Date;
  /** What an operator keeps them from, and until when. */
  readonly limited?: Limited | null;
  /** What an operator is here for; without, nothing is theirs. */
  readonly roles?: readonly OperatorRole[];
  /** When somebody proved in this session who they are, once more after the log-in. */
  readonly provenAt?: Date | null;
  /** Set while the session acts for a creator. Nothing is done in that name but through `actorFor` (acting.ts). */
  readonly actingFor?: Acting;
  /** Of an actor who is a creator by somebody of their team: who it is, and what they may. */
  readonly member?: { readonly userId: UserId; readonly rights: readonly TeamRight[] };
};

/** Finds the living session of a token's hash, or nothing. */
export type FindSession = (tokenHash: Buffer) => Promise<Actor | undefined>;

/** Sessions that ended, or everything of these users that did. */
export type Ended = { readonly sessionIds?: readonly string[]; readonly userIds?: readonly string[] };

/** What the team room tells of sessions that act for somebody. */
export type Team = {
  /** For whom a session acts whose person is of that creator's team, or nothing when they are not any more. */
  find(member: Actor, creatorId: UserId): Promise<Acting | undefined>;
  /** Keeps what somebody is about to do in a creator's name. Answers what keeps that it was refused. */
  keep(actor: Actor, what: string, subject: string): Promise<() => Promise<void>>;
};

export interface Sessions {
  /** The actor of a cookie's token, or nothing. */
  resolve(token: string | undefined): Promise<Actor | undefined>;
  /** Set by the accounts room, once. */
  use(find: FindSession): void;
  /** Who knows of teams. Set by the team room, once. */
  team: Team;
  /** Forgets what is kept of them. What is being read of them at this moment is read again. */
  forget(ended: Ended): void;
  /** Whether this process is told of what ends elsewhere (process-channel.ts). While it is not, nothing is kept. */
  trust(isTold: boolean): void;
}

/** Longer, and what changes without an end (a name) would show late. */
const KEPT_MS = 5_000;
const MAX_KEPT = 20_000;
/** So often is read what ended sessions overtake again and again; then it is answered, and not kept. */
const MAX_READS = 3;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new token for a cookie: 256 bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database stores of a token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Whose end is that of a session: its person's, and the creator's for whom it acts. */
export function peopleOf({ userId, actingFor }: Pick<Actor, 'userId' | 'actingFor'>): UserId[] {
  return actingFor ? [userId, actingFor.creator.userId] : [userId];
}

export function createSessions(clock: Clock): Sessions {
  let find: FindSession = async () => undefined;
  const kept = new Map<string, { actor: Actor; until: number; reading: number }>();
  let readings = 0;
  let forgotten = 0;
  let isTold = true;

  /** Reads a session. What was read while some ended may be older than their end: it is read again. */
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
    // Without a room of teams nobody acts for anybody.
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

/**
 * Who is calling. The cookie carries 256 random bits; the database knows only their SHA-256. What the accounts room finds
 * is kept for a few seconds a process, and forgotten at once on this node when a session ends.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { SessionId, UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { Clock } from './clock.ts';

export type Actor = {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly type: UserType;
  readonly username: string;
  readonly isBlocked: boolean;
  /** When this session logged in: recent enough stands for having given the password. */
  readonly loggedInAt: Date;
};

/** Finds the living session of a token's hash, or nothing. */
export type FindSession = (tokenHash: Buffer) => Promise<Actor | undefined>;

export interface Sessions {
  /** The actor of a cookie's token, or nothing. */
  resolve(token: string | undefined): Promise<Actor | undefined>;
  /** Set by the accounts room, once. */
  use(find: FindSession): void;
  /** Forgets what is kept of a session, or of every session of a user. */
  forget(which: { sessionId?: string; userId?: string }): void;
}

/** How long another node may go on honouring a session that ended elsewhere. */
const KEPT_MS = 5_000;
const MAX_KEPT = 20_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** A new token for a cookie: 256 bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database stores of a token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function createSessions(clock: Clock): Sessions {
  let find: FindSession = async () => undefined;
  const kept = new Map<string, { actor: Actor; until: number }>();
  let forgotten = 0;
  return {
    use: (finder) => {
      find = finder;
    },
    resolve: async (token) => {
      if (!token || !TOKEN.test(token)) return undefined;
      const now = clock.now().getTime();
      const known = kept.get(token);
      if (known && known.until > now) return known.actor;
      const before = forgotten;
      const actor = await find(hashToken(token));
      if (kept.size >= MAX_KEPT) kept.clear();
      // What was read while a session was being ended may be older than the end: it is answered, but not kept.
      if (actor && before === forgotten) kept.set(token, { actor, until: now + KEPT_MS });
      else kept.delete(token);
      return actor;
    },
    forget: ({ sessionId, userId }) => {
      forgotten += 1;
      for (const [token, { actor }] of kept)
        if (actor.sessionId === sessionId || actor.userId === userId) kept.delete(token);
    },
  };
}

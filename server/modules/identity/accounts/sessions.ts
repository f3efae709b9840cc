import { DISPLAY_MODE_HEADER, type Session } from '@stagedoor/contract/identity/accounts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { getSessionCookieName } from '../../../platform/http/http.ts';
import { createId } from '../../../platform/ids.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import {
  type Actor,
  createToken,
  type FindSession,
  hashToken,
  teamDelegation,
} from '../../../platform/security/session.ts';
import { endOwnSession, lockOwnAccount } from './access.ts';
import { toDeviceLabel } from './device-label.ts';
import './events.ts';
import { purgeFingerprints } from './account-fingerprints.ts';
import { purgeDevices } from './known-devices.ts';
import { presentSession } from './present.ts';
import * as store from './store.ts';

const DAY_MS = 24 * 60 * 60_000;
const IDLE_MS = getRetentionMs('idleSession');
const ABSOLUTE_MS = getRetentionMs('session');
const COOKIE_SECONDS = IDLE_MS / 1000;
/** `last_seen_at` is written at most this often. */
const TOUCH_MS = 5 * 60_000;
/** Operator sessions expire soon when idle. */
const OPERATOR_TOUCH_MS = 60_000;
const MAX_SESSIONS = 50;
const RENEW_MS = DAY_MS;

/** This cookie shows scripts whether to request the current user. It grants nothing (row A5). */
const LOGGED_IN_COOKIE = 'loggedIn';

export type DisplayMode = Session['displayMode'];
export type SessionOrigin = { device: string; displayMode: DisplayMode };

function getIdleCutoff(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

function isOperatorSessionExpired({ config }: Pick<Context, 'config'>, row: store.FoundSession, now: Date): boolean {
  const { idleMs, lifetimeMs } = config.operatorSessions;
  const getElapsedMs = (since: Date) => now.getTime() - since.getTime();
  return (
    row.type === 'operator' && (getElapsedMs(row.last_seen_at) >= idleMs || getElapsedMs(row.created_at) >= lifetimeMs)
  );
}

export function createSessionFinder(
  ctx: Pick<Context, 'db' | 'clock' | 'hooks' | 'log' | 'config' | 'sessions'>,
): FindSession {
  return async (tokenHash) => {
    const now = ctx.clock.now();
    const row = await store.findSession(ctx.db, tokenHash, now, getIdleCutoff(now));
    if (!row || isOperatorSessionExpired(ctx, row, now)) return undefined;
    const touchMs = row.type === 'operator' ? OPERATOR_TOUCH_MS : TOUCH_MS;
    if (now.getTime() - row.last_seen_at.getTime() >= touchMs) {
      await store.touchSession(ctx.db, row.id, now).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'a session could not be marked as seen');
      });
    }
    const actor: Actor = {
      userId: row.user_id,
      sessionId: row.id,
      type: row.type,
      username: row.username,
      isBlocked: row.is_blocked,
      hasSecondFactor: row.has_second_factor,
      loggedInAt: row.created_at,
      restrictions: row.restrictions,
      roles: row.roles,
      stepUpAt: row.step_up_at,
    };
    if (row.on_behalf_of_id === null) return actor;
    const onBehalfOf = await teamDelegation.get(ctx).findDelegation(actor, row.on_behalf_of_id);
    return onBehalfOf && { ...actor, onBehalfOf };
  };
}

export function readSessionOrigin(request: FastifyRequest): SessionOrigin {
  const displayMode = request.headers[DISPLAY_MODE_HEADER] === 'standalone' ? 'standalone' : 'browser';
  return { device: toDeviceLabel(request.headers['user-agent']), displayMode };
}

/** Returns the cookie token, of which only the hash is stored. */
export async function createSession(
  ctx: Pick<Context, 'clock'>,
  tx: Executor,
  userId: string,
  origin: SessionOrigin,
): Promise<{ sessionId: string; token: string }> {
  const token = createToken();
  const sessionId = createId(ctx.clock);
  const now = ctx.clock.now();
  await store.insertSession(tx, {
    id: sessionId,
    user_id: userId,
    token_hash: hashToken(token),
    device: origin.device,
    display_mode: origin.displayMode,
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + ABSOLUTE_MS),
  });
  await store.trimSessions(tx, userId, MAX_SESSIONS);
  return { sessionId, token };
}

/**
 * The new session acts for a creator, or with null for its own account. It has the expiry and log-in time of the old
 * one. The caller holds the account's lock and removes the old session from the cache after the commit. Throws
 * UNAUTHORIZED if it is gone.
 */
export async function switchDelegation(
  ctx: Pick<Context, 'clock'>,
  tx: Executor,
  { userId, sessionId }: Pick<Actor, 'userId' | 'sessionId'>,
  creatorId: UserId | null,
): Promise<string> {
  const token = createToken();
  const id = createId(ctx.clock);
  const wasReplaced = await store.replaceSession(tx, { sessionId, userId, id, tokenHash: hashToken(token), creatorId });
  if (!wasReplaced) throw new AppError('UNAUTHORIZED');
  await store.deleteSession(tx, userId, sessionId);
  return token;
}

/** The caller removes the returned sessions from the cache after the commit. */
export const endDelegation = (tx: Executor, creatorId: string, memberId: string): Promise<string[]> =>
  store.deleteDelegatedSessions(tx, creatorId, memberId);

/** Call after the commit. Other processes are notified by the commit itself. */
export function dropSessions(ctx: Pick<Context, 'sessions' | 'realtime'>, sessionIds: readonly string[]): void {
  ctx.sessions.invalidate({ sessionIds });
  ctx.realtime.disconnect({ sessionIds });
}

export function setCookies(ctx: Pick<Context, 'config'>, reply: FastifyReply, token: string): void {
  const cookieOptions = {
    path: '/',
    sameSite: 'lax',
    secure: ctx.config.isSecure,
    maxAge: COOKIE_SECONDS,
  } as const;
  reply.setCookie(getSessionCookieName(ctx.config), token, { ...cookieOptions, httpOnly: true });
  reply.setCookie(LOGGED_IN_COOKIE, 'true', cookieOptions);
}

export function clearCookies(ctx: Pick<Context, 'config'>, reply: FastifyReply): void {
  const cookieOptions = { path: '/', sameSite: 'lax', secure: ctx.config.isSecure } as const;
  reply.clearCookie(getSessionCookieName(ctx.config), { ...cookieOptions, httpOnly: true });
  reply.clearCookie(LOGGED_IN_COOKIE, cookieOptions);
}

/** A cookie lives as long as a session may be idle, so it is renewed while the session is used. */
export function renewCookies(ctx: Context, actor: Actor, request: FastifyRequest, reply: FastifyReply): void {
  const token = request.cookies[getSessionCookieName(ctx.config)];
  if (token && ctx.clock.now().getTime() - actor.loggedInAt.getTime() >= RENEW_MS) setCookies(ctx, reply, token);
}

export async function listSessions(ctx: Context, actor: Actor): Promise<Session[]> {
  const now = ctx.clock.now();
  const rows = await store.listSessions(ctx.db, actor.userId, now, getIdleCutoff(now), MAX_SESSIONS);
  return rows.map((row) => presentSession(row, actor));
}

/** Lists sessions for the data export. */
export async function listSessionsForExport(db: Executor, userId: string, now: Date) {
  const rows = await store.listSessions(db, userId, now, getIdleCutoff(now), MAX_SESSIONS);
  return rows.map(({ device, display_mode: displayMode, created_at: since, last_seen_at: lastSeenAt }) => ({
    ...{ device, displayMode, since, lastSeenAt },
  }));
}

/** Throws NOT_FOUND for sessions of other users. */
export async function revokeSession(ctx: Context, actor: Actor, id: string): Promise<void> {
  await endOwnSession(ctx.db, actor, id);
  dropSessions(ctx, [id]);
  ctx.security.note({ kind: 'sessionsEnded', userId: actor.userId, sessionId: id });
}

export async function revokeOtherSessions(ctx: Context, actor: Actor): Promise<number> {
  const endedSessionIds = await ctx.db.transaction(async (tx) => {
    await lockOwnAccount(tx, actor);
    return store.deleteSessions(tx, actor.userId, actor.sessionId);
  });
  dropSessions(ctx, endedSessionIds);
  if (endedSessionIds.length > 0)
    ctx.security.note({ kind: 'sessionsEnded', userId: actor.userId, detail: 'all others' });
  return endedSessionIds.length;
}

export async function purgeExpired(ctx: Pick<Context, 'db' | 'clock' | 'security'>): Promise<void> {
  const now = ctx.clock.now();
  await store.purgeExpiredRows(ctx.db, now, getIdleCutoff(now));
  await purgeDevices(ctx);
  await purgeFingerprints(ctx);
  await ctx.security.purge();
}

/**
 * Browsers that an account was logged in from, known by a cookie of their own. It lets nobody in: who guesses from a known
 * browser is counted apart, so that strangers cannot lock the owner out (OWASP, "Slow Down Online Guessing Attacks with
 * Device Cookies").
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../kernel/config.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { callerNetwork } from '../../kernel/http.ts';
import { hashToken, newToken } from '../../kernel/session.ts';

const LIFE_SECONDS = 365 * 24 * 60 * 60;
/** The least lately seen are forgotten first. */
const MAX_DEVICES = 20;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Where a guess comes from. */
export type Caller = { readonly network: string; readonly deviceToken?: string };

const IS_KNOWN: Statement = {
  name: 'accounts-is-known-device',
  text: 'select exists (select from known_devices where user_id = $1 and token_hash = $2) as is_known',
};
const REMEMBER: Statement = {
  name: 'accounts-remember-device',
  text: `insert into known_devices (user_id, token_hash, seen_at) values ($1, $2, $3)
         on conflict (user_id, token_hash) do update set seen_at = excluded.seen_at`,
};
const TRIM: Statement = {
  name: 'accounts-trim-devices',
  text: `delete from known_devices d using (
           select user_id, token_hash from known_devices where user_id = $1 order by seen_at desc offset $2) old
         where d.user_id = old.user_id and d.token_hash = old.token_hash`,
};
const FORGET: Statement = { name: 'accounts-forget-devices', text: 'delete from known_devices where user_id = $1' };
const PURGE: Statement = { name: 'accounts-purge-devices', text: 'delete from known_devices where seen_at <= $1' };

function deviceCookie(config: Config): string {
  return config.isSecure ? '__Host-device' : 'device';
}

export function callerOf(ctx: Pick<Context, 'config'>, request: FastifyRequest): Caller {
  const token = request.cookies[deviceCookie(ctx.config)];
  return { network: callerNetwork(request), ...(token !== undefined && TOKEN.test(token) && { deviceToken: token }) };
}

/** What a known browser of this account is counted by; nothing for any other. */
export async function knownDevice(db: Executor, userId: string, caller: Caller): Promise<string | undefined> {
  if (caller.deviceToken === undefined) return undefined;
  const hash = hashToken(caller.deviceToken);
  const [row] = await db.run<{ is_known: boolean }>(IS_KNOWN, [userId, hash]);
  return row?.is_known ? hash.toString('base64url') : undefined;
}

/** Makes the caller's browser known to an account. Answers the cookie's token: the one it has where `isKnown`, else a new one. */
export async function rememberDevice(
  ctx: Pick<Context, 'clock'>,
  tx: Executor,
  userId: string,
  caller: Caller,
  isKnown: boolean,
): Promise<string> {
  // A token that was planted becomes nobody's.
  const token = (isKnown ? caller.deviceToken : undefined) ?? newToken();
  await tx.run(REMEMBER, [userId, hashToken(token), ctx.clock.now()]);
  await tx.run(TRIM, [userId, MAX_DEVICES]);
  return token;
}

/** Forgets every browser of an account, as after a password reset. */
export async function forgetDevices(tx: Executor, userId: string): Promise<void> {
  await tx.run(FORGET, [userId]);
}

/** Forgets browsers that were not seen for as long as their cookies live. */
export async function purgeDevices(ctx: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await ctx.db.run(PURGE, [new Date(ctx.clock.now().getTime() - LIFE_SECONDS * 1000)]);
}

export function setDeviceCookie(ctx: Pick<Context, 'config'>, reply: FastifyReply, token: string): void {
  const { isSecure: secure } = ctx.config;
  reply.setCookie(deviceCookie(ctx.config), token, {
    path: '/',
    sameSite: 'lax',
    secure,
    httpOnly: true,
    maxAge: LIFE_SECONDS,
  });
}

/**
 * Guesses from a browser that the owner has used are counted separately, so that strangers cannot lock the owner out
 * (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The cookie grants no access.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { getCallerNetwork } from '../../../platform/http/http.ts';
import { getRetentionMs } from '../../../platform/retention.ts';
import { createToken, hashToken } from '../../../platform/security/session.ts';

const LIFETIME_SECONDS = getRetentionMs('knownDevice') / 1000;
const MAX_DEVICES = 20;
/** A cookie holds one token for each account. The newest comes first. */
const MAX_TOKENS = 5;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const SEPARATOR = '.';

export type CallerDevice = { readonly network: string; readonly deviceTokens: readonly string[] };

const FIND_KNOWN: SqlStatement = {
  name: 'accounts-known-device',
  text: `select token_hash from known_devices where user_id = $1 and token_hash = any($2::bytea[])
         order by seen_at desc limit 1`,
};
const MARK_SEEN: SqlStatement = {
  name: 'accounts-see-device',
  text: 'update known_devices set seen_at = $3 where user_id = $1 and token_hash = any($2::bytea[])',
};
const REMEMBER: SqlStatement = {
  name: 'accounts-remember-device',
  text: 'insert into known_devices (user_id, token_hash, seen_at) values ($1, $2, $3)',
};
const TRIM: SqlStatement = {
  name: 'accounts-trim-devices',
  text: `delete from known_devices d using (
           select user_id, token_hash from known_devices where user_id = $1 order by seen_at desc offset $2) old
         where d.user_id = old.user_id and d.token_hash = old.token_hash`,
};
const FORGET: SqlStatement = {
  name: 'accounts-forget-devices',
  text: 'delete from known_devices where user_id = $1 and token_hash <> all($2::bytea[])',
};
const PURGE: SqlStatement = { name: 'accounts-purge-devices', text: 'delete from known_devices where seen_at <= $1' };

function getDeviceCookieName(config: Config): string {
  return config.isSecure ? '__Host-device' : 'device';
}

export function readCallerDevice(ctx: Pick<Context, 'config'>, request: FastifyRequest): CallerDevice {
  const tokens = (request.cookies[getDeviceCookieName(ctx.config)] ?? '').split(SEPARATOR, MAX_TOKENS);
  return { network: getCallerNetwork(request), deviceTokens: tokens.filter((token) => TOKEN.test(token)) };
}

/** Returns the key for counting guesses from a known browser, or undefined for any other browser. */
export async function findKnownDevice(
  db: Executor,
  userId: string,
  { deviceTokens }: CallerDevice,
): Promise<string | undefined> {
  if (deviceTokens.length === 0) return undefined;
  const [row] = await db.run<{ token_hash: Buffer }>(FIND_KNOWN, [userId, deviceTokens.map(hashToken)]);
  return row?.token_hash.toString('base64url');
}

const FIND_BROWSER_ACCOUNTS: SqlStatement = {
  name: 'accounts-browser-known-to',
  text: 'select distinct user_id as id from known_devices where token_hash = any($1::bytea[])',
};

export async function listBrowserAccounts(db: Executor, { deviceTokens }: CallerDevice): Promise<string[]> {
  if (deviceTokens.length === 0) return [];
  return (await db.run<{ id: string }>(FIND_BROWSER_ACCOUNTS, [deviceTokens.map(hashToken)])).map(({ id }) => id);
}

const HAS_ANY: SqlStatement = {
  name: 'accounts-has-devices',
  text: 'select 1 as has from known_devices where user_id = $1 limit 1',
};

export async function hasDevices(db: Executor, userId: string): Promise<boolean> {
  return (await db.run(HAS_ANY, [userId])).length > 0;
}

/** Returns the cookie value, with a new token in front unless `isKnown`. */
export async function rememberDevice(
  ctx: Pick<Context, 'clock'>,
  tx: Executor,
  userId: string,
  { deviceTokens }: CallerDevice,
  isKnown: boolean,
): Promise<string> {
  const now = ctx.clock.now();
  if (isKnown) {
    await tx.run(MARK_SEEN, [userId, deviceTokens.map(hashToken), now]);
    return deviceTokens.join(SEPARATOR);
  }
  // The token is always new, so that a planted token is never linked to an account.
  const token = createToken();
  await tx.run(REMEMBER, [userId, hashToken(token), now]);
  await tx.run(TRIM, [userId, MAX_DEVICES]);
  return [token, ...deviceTokens].slice(0, MAX_TOKENS).join(SEPARATOR);
}

export const splitDeviceCookie = (cookie: string): string[] => cookie.split(SEPARATOR);

export async function forgetDevices(tx: Executor, userId: string): Promise<void> {
  await tx.run(FORGET, [userId, []]);
}

/** Makes the caller's browser the only known one. Returns the cookie value. */
export async function forgetOtherDevices(
  ctx: Pick<Context, 'clock'>,
  tx: Executor,
  userId: string,
  caller: CallerDevice,
): Promise<string> {
  await tx.run(FORGET, [userId, caller.deviceTokens.map(hashToken)]);
  return rememberDevice(ctx, tx, userId, caller, await hasDevices(tx, userId));
}

export async function purgeDevices(ctx: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await ctx.db.run(PURGE, [new Date(ctx.clock.now().getTime() - LIFETIME_SECONDS * 1000)]);
}

export function setDeviceCookie(ctx: Pick<Context, 'config'>, reply: FastifyReply, tokens: string): void {
  const { isSecure: secure } = ctx.config;
  reply.setCookie(getDeviceCookieName(ctx.config), tokens, {
    path: '/',
    sameSite: 'lax',
    secure,
    httpOnly: true,
    maxAge: LIFETIME_SECONDS,
  });
}

/** Responses, timing and limits do not reveal whether a name exists unless the password is right. */

import type { UserType } from '@stagedoor/contract/accounts.ts';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import type { SecurityKind } from '../../kernel/security-log.ts';
import type { Actor } from '../../kernel/session.ts';
import { clearAttempts, countAttempt, MAX_ATTEMPTS, releaseAttempt } from './attempts.ts';
import { isAway } from './away.ts';
import { proveBlocked } from './blocked-proof.ts';
import { afterUnblocking, liftIfOver } from './blocking.ts';
import { takeBackClosing } from './closing.ts';
import { type Caller, hasDevices, knownDevice, rememberDevice, tokensOf } from './known-devices.ts';
import { newDeviceMail } from './mails.ts';
import { isPassword } from './passwords.ts';
import { beginSession, forgetSessions, type SessionOrigin } from './sessions.ts';
import { noteBrowser } from './signals.ts';
import * as store from './store.ts';
import { WRONG_CODE } from './two-factor.ts';
import { spendCode } from './two-factor-codes.ts';

/**
 * This limit is for guesses from all networks together. Beyond it, only browsers that the owner has used can log in.
 */
const MAX_FROM_EVERYWHERE = 100;

export type Credentials = { username: string; password: string; code?: string | undefined };
export type LoginOutcome =
  | { state: 'loggedIn'; id: UserId; type: UserType; sessionId: string; token: string; deviceCookie: string }
  | { state: 'twoFactorRequired' }
  | { state: 'verificationRequired' };

function wrong(): AppError {
  return invalid('password', 'Incorrect username or password.');
}

type Subject = { key: string; max: number };
type Known = { userId: string; device: string };

/**
 * Attempts are counted by the name as typed. Counting username and address together would reveal that they belong to
 * one account.
 */
function typed(name: string): string {
  return `login:${name.trim().toLowerCase()}`;
}

/** A browser that the owner has used is counted separately from its network and from all networks together. */
function passwordSubjects(name: string, { network }: Caller, known: Known | undefined): Subject[] {
  if (known) return [{ key: `login:${known.userId}:device:${known.device}`, max: MAX_ATTEMPTS }];
  return [
    { key: `${typed(name)}:network:${network}`, max: MAX_ATTEMPTS },
    { key: typed(name), max: MAX_FROM_EVERYWHERE },
  ];
}

/** A six-digit code allows fewer guesses than a password, so all networks share one limit. */
function codeSubject(userId: string, known: Known | undefined): Subject {
  return { key: `login-code:${userId}${known ? `:device:${known.device}` : ''}`, max: MAX_ATTEMPTS };
}

export async function forgiveGuesses(db: Executor, user: store.User, caller: Caller): Promise<void> {
  const subjects = [user.username, user.email].flatMap((name) => passwordSubjects(name, caller, undefined));
  for (const { key } of [...subjects, codeSubject(user.id, undefined)]) await clearAttempts(db, key);
}

function kindOf(refusal: AppError): SecurityKind {
  if (refusal.code === 'RATE_LIMITED') return 'lockedOut';
  return refusal.data.error?.some(({ field }) => field === 'code') ? 'secondFactorRefused' : 'logInRefused';
}

/**
 * Logs in and ends the session of `replaced`. Throws VALIDATION on `password` or `code`, account_blocked, FORBIDDEN
 * during a break, RATE_LIMITED after too many failures or when too many requests wait.
 */
export async function login(
  ctx: Context,
  credentials: Credentials,
  origin: SessionOrigin,
  caller: Caller,
  replaced?: Actor,
): Promise<LoginOutcome> {
  const found = await store.findUserByLogin(ctx.db, credentials.username);
  const device = found && (await knownDevice(ctx.db, found.id, caller));
  const told = { userId: found?.id, network: caller.network, detail: device === undefined ? '' : 'known browser' };
  try {
    const outcome = await enterBy(ctx, { found, device, credentials, origin, caller, replaced });
    if (outcome.state === 'loggedIn') ctx.security.note({ kind: 'loggedIn', ...told, sessionId: outcome.sessionId });
    return outcome;
  } catch (error) {
    if (error instanceof AppError) ctx.security.note({ kind: kindOf(error), ...told });
    throw error;
  }
}

/** The notice is sent in the app and by mail, because the new log-in may be a stranger's. */
async function tellOfDevice(ctx: Context, tx: Transaction, user: store.User, { device }: SessionOrigin): Promise<void> {
  await ctx.mailer.send(tx, newDeviceMail(user, ctx.config.publicUrl, device, ctx.clock.now()));
  await tx.emit('account.secured', { userId: user.id, change: 'newDevice', device });
}

type Attempt = {
  found: store.User | undefined;
  device: string | undefined;
  credentials: Credentials;
  origin: SessionOrigin;
  caller: Caller;
  replaced: Actor | undefined;
};

async function enterBy(ctx: Context, attempt: Attempt): Promise<LoginOutcome> {
  const { found, device, credentials, origin, caller, replaced } = attempt;
  const known = found && device !== undefined ? { userId: found.id, device } : undefined;
  const subjects = passwordSubjects(credentials.username, caller, known);
  for (const { key, max } of subjects) await countAttempt(ctx, key, max);
  const isRight = await isPassword(found?.password_hash, credentials.password);
  if (!found || !isRight) throw wrong();
  if (credentials.code !== undefined) {
    const subject = codeSubject(found.id, known);
    await countAttempt(ctx, subject.key, subject.max);
    subjects.push(subject);
  }
  const { isLifted, entered: outcome } = await ctx.db.transaction(async (tx) => {
    const user = await store.lockUser(tx, found.id);
    // Hashing takes long enough for a concurrent password change, which must end this log-in too.
    if (!user || user.password_hash !== found.password_hash) throw wrong();
    const isBlocked = user.is_blocked && !user.is_closing;
    const isLifted = isBlocked && (await liftIfOver(ctx, tx, user));
    if (isBlocked && !isLifted) return { isLifted, entered: await stillBlocked(ctx, tx, user, credentials.code) };
    const entered = await enter(ctx, tx, user, credentials.code, origin, replaced);
    if (entered.state !== 'loggedIn') return { isLifted, entered };
    // The first log-in is not reported.
    if (device === undefined && (await hasDevices(tx, user.id))) await tellOfDevice(ctx, tx, user, origin);
    const deviceCookie = await rememberDevice(ctx, tx, user.id, caller, device !== undefined);
    if (user.type === 'customer') await noteBrowser(ctx, tx, user.id, tokensOf(deviceCookie));
    return { isLifted, entered: { ...entered, deviceCookie } };
  });
  if (isLifted) afterUnblocking(ctx, found.id);
  if (outcome.state === 'loggedIn') {
    for (const { key } of subjects) await clearAttempts(ctx.db, key);
    if (replaced) forgetSessions(ctx, [replaced.sessionId]);
  } else {
    for (const { key } of subjects) await releaseAttempt(ctx.db, key);
  }
  if (outcome.state === 'blocked') {
    const { words, proof } = outcome;
    throw new AppError('account_blocked', { ...(words !== '' && { message: words }), proof });
  }
  if (outcome.state === 'away') throw isAway(outcome.until);
  return outcome;
}

type Entered =
  | Exclude<LoginOutcome, { state: 'loggedIn' }>
  | { state: 'blocked'; words: string; proof: string }
  | { state: 'away'; until: Date }
  | Omit<Extract<LoginOutcome, { state: 'loggedIn' }>, 'deviceCookie'>;

async function askSecondFactor(
  ctx: Context,
  tx: Transaction,
  user: store.User,
  code: string | undefined,
): Promise<{ state: 'twoFactorRequired' } | undefined> {
  if (user.two_factor_enabled_at === null) return undefined;
  if (code === undefined) return { state: 'twoFactorRequired' };
  if (!(await spendCode(ctx, tx, user, code))) throw invalid('code', WRONG_CODE);
  return undefined;
}

/** The block is revealed only after the password and the second factor are right. */
async function stillBlocked(
  ctx: Context,
  tx: Transaction,
  user: store.User,
  code: string | undefined,
): Promise<Extract<Entered, { state: 'blocked' | 'twoFactorRequired' }>> {
  const missing = await askSecondFactor(ctx, tx, user, code);
  return missing ?? { state: 'blocked', words: user.blocked_words, proof: proveBlocked(ctx, user) };
}

async function enter(
  ctx: Context,
  tx: Transaction,
  user: store.User,
  code: string | undefined,
  origin: SessionOrigin,
  replaced: Actor | undefined,
): Promise<Entered> {
  if (user.email_verified_at === null) return { state: 'verificationRequired' };
  const missing = await askSecondFactor(ctx, tx, user, code);
  if (missing) return missing;
  if (user.away_until && user.away_until > ctx.clock.now()) return { state: 'away', until: user.away_until };
  if (user.is_closing) await takeBackClosing(tx, user.id);
  if (replaced) await store.deleteSession(tx, replaced.userId, replaced.sessionId);
  const session = await beginSession(ctx, tx, user.id, origin);
  return { state: 'loggedIn', id: user.id, type: user.type, ...session };
}

export async function logout(ctx: Context, actor: Actor | undefined): Promise<void> {
  if (!actor) return;
  await store.deleteSession(ctx.db, actor.userId, actor.sessionId);
  forgetSessions(ctx, [actor.sessionId]);
  ctx.security.note({ kind: 'loggedOut', userId: actor.userId });
}

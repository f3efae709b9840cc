/** Responses, timing and limits do not reveal whether a name exists unless the password is right. */

import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import type { SecurityKind } from '../../../platform/security/security-log.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { createAccountBreakError } from './account-break.ts';
import { storeBrowserFingerprints } from './account-fingerprints.ts';
import { createBlockedProof } from './blocked-login-proof.ts';
import { logUnblocking, unblockIfExpired } from './blocking.ts';
import { restoreFromDeletion } from './deletion.ts';
import { type CallerDevice, findKnownDevice, hasDevices, rememberDevice, splitDeviceCookie } from './known-devices.ts';
import { clearAttempts, countAttempt, MAX_ATTEMPTS, releaseAttempt } from './login-throttle.ts';
import { createNewDeviceMail } from './mails.ts';
import { isPassword } from './passwords.ts';
import { createSession, dropSessions, type SessionOrigin } from './sessions.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';
import { WRONG_CODE } from './two-factor.ts';
import { consumeCode } from './two-factor-codes.ts';

/**
 * This limit is for guesses from all networks together. Beyond it, only browsers that the owner has used can log in.
 */
const MAX_FROM_ALL_NETWORKS = 100;

export type Credentials = { username: string; password: string; code?: string | undefined };
export type LoginOutcome =
  | { state: 'loggedIn'; id: UserId; type: UserType; sessionId: string; token: string; deviceCookie: string }
  | { state: 'twoFactorRequired' }
  | { state: 'verificationRequired' };

function createWrongPasswordError(): AppError {
  return createFieldError('password', texts.incorrectUsernameOrPassword);
}

type AttemptSubject = { key: string; max: number };
type KnownDevice = { userId: string; device: string };

/**
 * Attempts are counted by the name as typed. Counting username and address together would reveal that they belong to
 * one account.
 */
function toNameSubject(name: string): string {
  return `login:${name.trim().toLowerCase()}`;
}

/** A browser that the owner has used is counted separately from its network and from all networks together. */
function listPasswordSubjects(
  name: string,
  { network }: CallerDevice,
  known: KnownDevice | undefined,
): AttemptSubject[] {
  if (known) return [{ key: `login:${known.userId}:device:${known.device}`, max: MAX_ATTEMPTS }];
  return [
    { key: `${toNameSubject(name)}:network:${network}`, max: MAX_ATTEMPTS },
    { key: toNameSubject(name), max: MAX_FROM_ALL_NETWORKS },
  ];
}

/** A six-digit code allows fewer guesses than a password, so all networks share one limit. */
function toCodeSubject(userId: string, known: KnownDevice | undefined): AttemptSubject {
  return { key: `login-code:${userId}${known ? `:device:${known.device}` : ''}`, max: MAX_ATTEMPTS };
}

export async function clearGuesses(db: Executor, user: store.User, caller: CallerDevice): Promise<void> {
  const subjects = [user.username, user.email].flatMap((name) => listPasswordSubjects(name, caller, undefined));
  for (const { key } of [...subjects, toCodeSubject(user.id, undefined)]) await clearAttempts(db, key);
}

function toSecurityKind(refusal: AppError): SecurityKind {
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
  caller: CallerDevice,
  replaced?: Actor,
): Promise<LoginOutcome> {
  const foundUser = await store.findUserByLogin(ctx.db, credentials.username);
  const device = foundUser && (await findKnownDevice(ctx.db, foundUser.id, caller));
  const securityDetails = {
    userId: foundUser?.id,
    network: caller.network,
    detail: device === undefined ? '' : 'known browser',
  };
  try {
    const outcome = await attemptLogin(ctx, { foundUser, device, credentials, origin, caller, replaced });
    if (outcome.state === 'loggedIn')
      ctx.security.note({ kind: 'loggedIn', ...securityDetails, sessionId: outcome.sessionId });
    return outcome;
  } catch (error) {
    if (error instanceof AppError) ctx.security.note({ kind: toSecurityKind(error), ...securityDetails });
    throw error;
  }
}

/** The notice is sent in the app and by mail, because the new log-in may be a stranger's. */
async function notifyNewDevice(
  ctx: Context,
  tx: DbTransaction,
  user: store.User,
  { device }: SessionOrigin,
): Promise<void> {
  await ctx.mailer.send(tx, createNewDeviceMail(user, ctx.config.publicUrl, device, ctx.clock.now()));
  await tx.emit('account.secured', { userId: user.id, change: 'newDevice', device });
}

type LoginAttempt = {
  foundUser: store.User | undefined;
  device: string | undefined;
  credentials: Credentials;
  origin: SessionOrigin;
  caller: CallerDevice;
  replaced: Actor | undefined;
};

async function attemptLogin(ctx: Context, attempt: LoginAttempt): Promise<LoginOutcome> {
  const { foundUser, device, credentials, origin, caller, replaced } = attempt;
  const known = foundUser && device !== undefined ? { userId: foundUser.id, device } : undefined;
  const subjects = listPasswordSubjects(credentials.username, caller, known);
  for (const { key, max } of subjects) await countAttempt(ctx, key, max);
  const isRight = await isPassword(foundUser?.password_hash, credentials.password);
  if (!foundUser || !isRight) throw createWrongPasswordError();
  if (credentials.code !== undefined) {
    const subject = toCodeSubject(foundUser.id, known);
    await countAttempt(ctx, subject.key, subject.max);
    subjects.push(subject);
  }
  const { isUnblocked, result: outcome } = await ctx.db.transaction(async (tx) => {
    const user = await store.lockUser(tx, foundUser.id);
    // Hashing takes long enough for a concurrent password change, which must end this log-in too.
    if (!user || user.password_hash !== foundUser.password_hash) throw createWrongPasswordError();
    const isBlocked = user.is_blocked && !user.is_deletion_pending;
    const isUnblocked = isBlocked && (await unblockIfExpired(ctx, tx, user));
    if (isBlocked && !isUnblocked) return { isUnblocked, result: await refuseBlocked(ctx, tx, user, credentials.code) };
    const result = await completeLogin(ctx, tx, user, credentials.code, origin, replaced);
    if (result.state !== 'loggedIn') return { isUnblocked, result };
    // The first log-in is not reported.
    if (device === undefined && (await hasDevices(tx, user.id))) await notifyNewDevice(ctx, tx, user, origin);
    const deviceCookie = await rememberDevice(ctx, tx, user.id, caller, device !== undefined);
    if (user.type === 'customer') await storeBrowserFingerprints(ctx, tx, user.id, splitDeviceCookie(deviceCookie));
    return { isUnblocked, result: { ...result, deviceCookie } };
  });
  if (isUnblocked) logUnblocking(ctx, foundUser.id);
  if (outcome.state === 'loggedIn') {
    for (const { key } of subjects) await clearAttempts(ctx.db, key);
    if (replaced) dropSessions(ctx, [replaced.sessionId]);
  } else {
    for (const { key } of subjects) await releaseAttempt(ctx.db, key);
  }
  if (outcome.state === 'blocked') {
    const { message, proof } = outcome;
    throw new AppError('account_blocked', { ...(message !== '' && { message }), proof });
  }
  if (outcome.state === 'onBreak') throw createAccountBreakError(outcome.until);
  return outcome;
}

type LoginResult =
  | Exclude<LoginOutcome, { state: 'loggedIn' }>
  | { state: 'blocked'; message: string; proof: string }
  | { state: 'onBreak'; until: Date }
  | Omit<Extract<LoginOutcome, { state: 'loggedIn' }>, 'deviceCookie'>;

async function requireSecondFactor(
  ctx: Context,
  tx: DbTransaction,
  user: store.User,
  code: string | undefined,
): Promise<{ state: 'twoFactorRequired' } | undefined> {
  if (user.two_factor_enabled_at === null) return undefined;
  if (code === undefined) return { state: 'twoFactorRequired' };
  if (!(await consumeCode(ctx, tx, user, code))) throw createFieldError('code', WRONG_CODE);
  return undefined;
}

/** The block is revealed only after the password and the second factor are right. */
async function refuseBlocked(
  ctx: Context,
  tx: DbTransaction,
  user: store.User,
  code: string | undefined,
): Promise<Extract<LoginResult, { state: 'blocked' | 'twoFactorRequired' }>> {
  const pendingStep = await requireSecondFactor(ctx, tx, user, code);
  return pendingStep ?? { state: 'blocked', message: user.blocked_message, proof: createBlockedProof(ctx, user) };
}

async function completeLogin(
  ctx: Context,
  tx: DbTransaction,
  user: store.User,
  code: string | undefined,
  origin: SessionOrigin,
  replaced: Actor | undefined,
): Promise<LoginResult> {
  if (user.email_verified_at === null) return { state: 'verificationRequired' };
  const pendingStep = await requireSecondFactor(ctx, tx, user, code);
  if (pendingStep) return pendingStep;
  if (user.break_until && user.break_until > ctx.clock.now()) return { state: 'onBreak', until: user.break_until };
  if (user.is_deletion_pending) await restoreFromDeletion(tx, user.id);
  if (replaced) await store.deleteSession(tx, replaced.userId, replaced.sessionId);
  const session = await createSession(ctx, tx, user.id, origin);
  return { state: 'loggedIn', id: user.id, type: user.type, ...session };
}

export async function logout(ctx: Context, actor: Actor | undefined): Promise<void> {
  if (!actor) return;
  await store.deleteSession(ctx.db, actor.userId, actor.sessionId);
  dropSessions(ctx, [actor.sessionId]);
  ctx.security.note({ kind: 'loggedOut', userId: actor.userId });
}

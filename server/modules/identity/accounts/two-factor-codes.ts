/**
 * Codes are TOTP (RFC 6238: SHA-1, six digits, 30 s) or recovery codes. Secrets are encrypted at rest, and each code
 * works once.
 */
import { createHmac, randomInt } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { decryptText, encryptContent } from '../../../platform/security/encryption.ts';
import * as store from './store.ts';

type KeyContext = Pick<Context, 'config'>;

const ISSUER = 'Stagedoor';
const STEP_SECONDS = 30;
const RECOVERY_CODES = 10;
const RECOVERY_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** The encrypted secret is bound to the account, so that it cannot be decrypted for another one. */
export function encryptSecret({ config }: KeyContext, userId: string, secret: string): Buffer {
  return encryptContent(config.deriveKey('two-factor'), userId, secret);
}

export function createSecret(): string {
  return generateSecret();
}

export function toOtpauthUrl(username: string, secret: string): string {
  return generateURI({ issuer: ISSUER, label: username, secret });
}

/** Accepts one step early or late, but no step up to the last used one (RFC 6238, 5.2: a code is accepted once). */
export function findCodeStep(
  ctx: Pick<Context, 'config' | 'clock'>,
  user: store.User,
  code: string,
): number | undefined {
  if (!user.two_factor_secret || !/^\d{6}$/.test(code)) return undefined;
  const secret = decryptText(ctx.config.deriveKey('two-factor'), user.id, user.two_factor_secret);
  const epoch = Math.floor(ctx.clock.now().getTime() / 1000);
  const result = verifySync({ strategy: 'totp', secret, token: code, epoch, epochTolerance: STEP_SECONDS });
  if (!result.valid || !('timeStep' in result)) return undefined;
  return result.timeStep > (user.two_factor_last_step ?? -1) ? result.timeStep : undefined;
}

function hashRecoveryCode({ config }: KeyContext, userId: string, code: string): Buffer {
  return createHmac('sha256', config.deriveKey('recovery-codes')).update(`${userId}\n${code}`).digest();
}

/** 59 random bits, in groups that are easy to type. */
export function createTypedCode(): string {
  const pickCharacter = () => RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length));
  return Array.from({ length: 3 }, () => Array.from({ length: 4 }, pickCharacter).join('')).join('-');
}

/** The codes are shown once. Only their hashes are stored. */
export async function renewRecoveryCodes(ctx: KeyContext, tx: Executor, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, createTypedCode);
  const hashes = codes.map((code) => hashRecoveryCode(ctx, userId, code));
  await store.replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/** Returns whether the code was right. The caller's transaction must hold the lock on `user`. */
export async function consumeCode(
  ctx: Pick<Context, 'config' | 'clock'>,
  tx: Executor,
  user: store.User,
  code: string,
): Promise<boolean> {
  if (code.includes('-')) {
    return store.useRecoveryCode(tx, user.id, hashRecoveryCode(ctx, user.id, code), ctx.clock.now());
  }
  const step = findCodeStep(ctx, user, code);
  if (step === undefined) return false;
  await store.updateUser(tx, user.id, { two_factor_last_step: step });
  return true;
}

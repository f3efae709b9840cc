/**
 * Blocked users cannot log in, so a log-in that is refused only because of the block returns this proof of identity for
 * an appeal. It grants nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../platform/context.ts';
import * as store from './store.ts';

const VALID_MS = 2 * 60 * 60_000;

type ProofContext = Pick<Context, 'config' | 'clock'>;
type ProofUser = Pick<store.User, 'id' | 'password_hash'>;

/** The signature covers the password hash, so that a new password invalidates the proof. */
const sign = ({ config }: ProofContext, { payload, passwordHash }: { payload: string; passwordHash: string }) =>
  createHmac('sha256', config.deriveKey('blocked proof')).update(`${payload}.${passwordHash}`).digest('base64url');

/** The proof is valid for two hours. */
export function createBlockedProof(ctx: ProofContext, { id, password_hash: passwordHash }: ProofUser): string {
  const payload = `${id}.${ctx.clock.now().getTime() + VALID_MS}`;
  return `${payload}.${sign(ctx, { payload, passwordHash })}`;
}

/** Returns undefined for a proof that is forged, expired or from before a password change. */
export async function findBlockedUserByProof(
  ctx: ProofContext & Pick<Context, 'db'>,
  proof: string,
): Promise<store.User | undefined> {
  const [userId = '', until = '', mac = ''] = proof.split('.');
  const user = isId(userId) ? await store.findUserById(ctx.db, userId) : undefined;
  if (!user) return undefined;
  const expected = Buffer.from(sign(ctx, { payload: `${userId}.${until}`, passwordHash: user.password_hash }));
  const actual = Buffer.from(mac);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  return Number(until) > ctx.clock.now().getTime() ? user : undefined;
}

/**
 * Blocked users cannot log in, so a log-in that is refused only because of the block returns this proof of identity for
 * an appeal. It grants nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { Context } from '../../kernel/context.ts';
import * as store from './store.ts';

const VALID_MS = 2 * 60 * 60_000;

type Keeper = Pick<Context, 'config' | 'clock'>;
type Person = Pick<store.User, 'id' | 'password_hash'>;

/** The signature covers the password hash, so that a new password invalidates the proof. */
const sign = ({ config }: Keeper, { said, passwordHash }: { said: string; passwordHash: string }) =>
  createHmac('sha256', config.deriveKey('blocked proof')).update(`${said}.${passwordHash}`).digest('base64url');

/** The proof is valid for two hours. */
export function proveBlocked(ctx: Keeper, { id, password_hash: passwordHash }: Person): string {
  const said = `${id}.${ctx.clock.now().getTime() + VALID_MS}`;
  return `${said}.${sign(ctx, { said, passwordHash })}`;
}

/** Returns undefined for a proof that is forged, expired or from before a password change. */
export async function provenBlocked(ctx: Keeper & Pick<Context, 'db'>, proof: string): Promise<store.User | undefined> {
  const [userId = '', until = '', mac = ''] = proof.split('.');
  const user = isId(userId) ? await store.findUserById(ctx.db, userId) : undefined;
  if (!user) return undefined;
  const wanted = Buffer.from(sign(ctx, { said: `${userId}.${until}`, passwordHash: user.password_hash }));
  const given = Buffer.from(mac);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  return Number(until) > ctx.clock.now().getTime() ? user : undefined;
}

/**
 * That somebody who cannot log in is who they say: given at a log-in that was right but for the block, handed back with what they write
 * to us. It opens nothing else, and a new password ends it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { Context } from '../../kernel/context.ts';
import * as store from './store.ts';

/** Long enough to write in peace. */
const VALID_MS = 2 * 60 * 60_000;

type Keeper = Pick<Context, 'config' | 'clock'>;
type Person = Pick<store.User, 'id' | 'password_hash'>;

/** Over the hash of the password as well: with another password it is nobody's. */
const sign = ({ config }: Keeper, { said, passwordHash }: { said: string; passwordHash: string }) =>
  createHmac('sha256', config.deriveKey('blocked proof')).update(`${said}.${passwordHash}`).digest('base64url');

/** Says for two hours whose right password it was. */
export function proveBlocked(ctx: Keeper, { id, password_hash: passwordHash }: Person): string {
  const said = `${id}.${ctx.clock.now().getTime() + VALID_MS}`;
  return `${said}.${sign(ctx, { said, passwordHash })}`;
}

/** Whose proof it is; nobody's if we did not give it, its time is over, or their password is another by now. */
export async function provenBlocked(ctx: Keeper & Pick<Context, 'db'>, proof: string): Promise<store.User | undefined> {
  const [userId = '', until = '', mac = ''] = proof.split('.');
  const user = isId(userId) ? await store.findUserById(ctx.db, userId) : undefined;
  if (!user) return undefined;
  const wanted = Buffer.from(sign(ctx, { said: `${userId}.${until}`, passwordHash: user.password_hash }));
  const given = Buffer.from(mac);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  return Number(until) > ctx.clock.now().getTime() ? user : undefined;
}

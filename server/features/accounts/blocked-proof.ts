/**
 * That somebody who cannot log in is who they say: given at a log-in that was right but for the block, handed back with what they write
 * to us. It opens nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { Context } from '../../kernel/context.ts';

/** Long enough to write in peace. */
const VALID_MS = 2 * 60 * 60_000;

type Keeper = Pick<Context, 'config' | 'clock'>;

const sign = ({ config }: Keeper, said: string) =>
  createHmac('sha256', config.deriveKey('blocked proof')).update(said).digest('base64url');

/** Says for two hours whose right password it was. */
export function proveBlocked(ctx: Keeper, userId: string): string {
  const said = `${userId}.${ctx.clock.now().getTime() + VALID_MS}`;
  return `${said}.${sign(ctx, said)}`;
}

/** Whose proof it is; nobody's if we did not give it, or its time is over. */
export function provenBlocked(ctx: Keeper, proof: string): string | undefined {
  const [userId = '', until = '', mac = ''] = proof.split('.');
  const [given, wanted] = [Buffer.from(mac), Buffer.from(sign(ctx, `${userId}.${until}`))];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  return isId(userId) && Number(until) > ctx.clock.now().getTime() ? userId : undefined;
}

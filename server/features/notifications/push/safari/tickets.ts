/**
 * Safari requests its package and registers without our cookie, so a token says whose session it is. A ticket is valid
 * for minutes, the token inside a package as long as its session.
 */
import { sessionId, userId } from '@stagedoor/contract/atoms/ids.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../kernel/context.ts';
import type { Statement } from '../../../../kernel/db.ts';
import { seal, unseal } from '../../../../kernel/seal.ts';
import type { Actor } from '../../../../kernel/session.ts';

const TICKET_MS = 15 * 60_000;
const SCHEME = /^ApplePushNotifications ([A-Za-z0-9_-]+)$/;

export type Holder = Pick<Actor, 'userId' | 'sessionId'>;
type Use = 'safari ticket' | 'safari package';
const said = z.object({ userId, sessionId, at: z.number() });
type Said = z.infer<typeof said>;
type Keys = Pick<Context, 'config' | 'clock' | 'db'>;

const sealKey = ({ config }: Pick<Context, 'config'>) => config.deriveKey('safari push');

function write(ctx: Keys, use: Use, holder: Holder): string {
  const words: Said = { userId: holder.userId, sessionId: holder.sessionId, at: ctx.clock.now().getTime() };
  return seal(sealKey(ctx), use, JSON.stringify(words)).toString('base64url');
}

function read(ctx: Keys, use: Use, text: string): Said | undefined {
  try {
    return z.parse(said, JSON.parse(unseal(sealKey(ctx), use, Buffer.from(text, 'base64url'))));
  } catch {
    return undefined;
  }
}

const ALIVE: Statement = {
  name: 'push-safari-session',
  text: `select 1 as is_alive from sessions s join users u on u.id = s.user_id
    where s.id = $1 and s.user_id = $2 and s.expires_at > $3 and not u.is_blocked`,
};

/** Returns undefined for a token that is forged, was made for another use, or whose session is over. */
async function open(ctx: Keys, use: Use, text: string): Promise<Said | undefined> {
  const opened = read(ctx, use, text);
  if (!opened) return undefined;
  const alive = await ctx.db.run(ALIVE, [opened.sessionId, opened.userId, ctx.clock.now()]);
  return alive.length > 0 ? opened : undefined;
}

export const ticketFor = (ctx: Keys, holder: Holder) => write(ctx, 'safari ticket', holder);
export const tokenFor = (ctx: Keys, holder: Holder) => write(ctx, 'safari package', holder);

export async function openTicket(ctx: Keys, text: string): Promise<Holder | undefined> {
  const opened = await open(ctx, 'safari ticket', text);
  return opened && ctx.clock.now().getTime() - opened.at < TICKET_MS ? opened : undefined;
}

export async function openAuthorization(ctx: Keys, header: string | undefined): Promise<Holder | undefined> {
  const token = SCHEME.exec(header ?? '')?.[1];
  return token === undefined ? undefined : open(ctx, 'safari package', token);
}

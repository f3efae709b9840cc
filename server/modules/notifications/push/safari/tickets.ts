/**
 * Safari requests its package and registers without our cookie, so a token names the session. A ticket is valid
 * for minutes, the token inside a package as long as its session.
 */
import { sessionId, userId } from '@stagedoor/contract/shared/ids.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { decryptText, encryptContent } from '../../../../platform/security/encryption.ts';
import type { Actor } from '../../../../platform/security/session.ts';

const TICKET_MS = 15 * 60_000;
const SCHEME = /^ApplePushNotifications ([A-Za-z0-9_-]+)$/;

export type TicketHolder = Pick<Actor, 'userId' | 'sessionId'>;
type TokenUse = 'safari ticket' | 'safari package';
const tokenPayload = z.object({ userId, sessionId, at: z.number() });
type TokenPayload = z.infer<typeof tokenPayload>;
type TicketContext = Pick<Context, 'config' | 'clock' | 'db'>;

const getTokenKey = ({ config }: Pick<Context, 'config'>) => config.deriveKey('safari push');

function createToken(ctx: TicketContext, use: TokenUse, holder: TicketHolder): string {
  const payload: TokenPayload = { userId: holder.userId, sessionId: holder.sessionId, at: ctx.clock.now().getTime() };
  return encryptContent(getTokenKey(ctx), use, JSON.stringify(payload)).toString('base64url');
}

function decodeToken(ctx: TicketContext, use: TokenUse, text: string): TokenPayload | undefined {
  try {
    return z.parse(tokenPayload, JSON.parse(decryptText(getTokenKey(ctx), use, Buffer.from(text, 'base64url'))));
  } catch {
    return undefined;
  }
}

const ALIVE: SqlStatement = {
  name: 'push-safari-session',
  text: `select 1 as is_alive from sessions s join users u on u.id = s.user_id
    where s.id = $1 and s.user_id = $2 and s.expires_at > $3 and not u.is_blocked`,
};

/** Returns undefined for a token that is forged, was made for another use, or whose session is over. */
async function openToken(ctx: TicketContext, use: TokenUse, text: string): Promise<TokenPayload | undefined> {
  const payload = decodeToken(ctx, use, text);
  if (!payload) return undefined;
  const alive = await ctx.db.run(ALIVE, [payload.sessionId, payload.userId, ctx.clock.now()]);
  return alive.length > 0 ? payload : undefined;
}

export const createSafariTicket = (ctx: TicketContext, holder: TicketHolder) =>
  createToken(ctx, 'safari ticket', holder);
export const createPackageToken = (ctx: TicketContext, holder: TicketHolder) =>
  createToken(ctx, 'safari package', holder);

export async function openTicket(ctx: TicketContext, text: string): Promise<TicketHolder | undefined> {
  const payload = await openToken(ctx, 'safari ticket', text);
  return payload && ctx.clock.now().getTime() - payload.at < TICKET_MS ? payload : undefined;
}

export async function openAuthorization(
  ctx: TicketContext,
  header: string | undefined,
): Promise<TicketHolder | undefined> {
  const token = SCHEME.exec(header ?? '')?.[1];
  return token === undefined ? undefined : openToken(ctx, 'safari package', token);
}

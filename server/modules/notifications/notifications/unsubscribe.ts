/**
 * One-click unsubscribe (RFC 8058): the link in the header of a mail, to which mail clients post. It cannot be guessed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { UNSUBSCRIBE_PATH } from '@stagedoor/contract/notifications/notifications.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import * as texts from './texts.ts';

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];
const BODY_LIMIT = 1_024;

const DISABLE_EMAIL: SqlStatement = {
  name: 'notifications-no-mail',
  text: 'update notification_preferences set email = false where user_id = $1 and email',
};

const signUserId = (ctx: Pick<Context, 'config'>, userId: string) =>
  createHmac('sha256', ctx.config.deriveKey('unsubscribe')).update(userId).digest('base64url');

export function createUnsubscribeHeaders(ctx: Pick<Context, 'config'>, userId: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${ctx.config.publicUrl}${UNSUBSCRIBE_PATH}/${userId}.${signUserId(ctx, userId)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** The user of a link. Throws NOT_FOUND for a link that we did not make. */
function parseToken(ctx: Pick<Context, 'config'>, token: string): string {
  const [userId = '', signature = ''] = token.split('.');
  const [received, expected] = [Buffer.from(signature), Buffer.from(signUserId(ctx, userId))];
  if (!isId(userId) || received.length !== expected.length || !timingSafeEqual(received, expected))
    throw new AppError('NOT_FOUND');
  return userId;
}

/**
 * Registers the address in its own scope, because mail clients post forms. Opening it in a browser redirects to a page
 * with a button and changes nothing.
 */
export async function registerUnsubscribe(app: FastifyInstance, ctx: Context): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FORM_TYPES, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.route<{ Params: { token: string } }>({
      method: 'POST',
      url: `${UNSUBSCRIBE_PATH}/:token`,
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        await ctx.db.run(DISABLE_EMAIL, [parseToken(ctx, request.params.token)]);
        if (request.headers.accept?.includes('text/html')) return reply.redirect(`${PATHS.unsubscribe}?done`, 303);
        return reply.type('text/plain').send(texts.unsubscribedFromDigest);
      },
    });
    scope.route<{ Params: { token: string } }>({
      method: 'GET',
      url: `${UNSUBSCRIBE_PATH}/:token`,
      handler: async (request, reply) => {
        const { token } = request.params;
        parseToken(ctx, token);
        return reply.redirect(`${PATHS.unsubscribe}?token=${encodeURIComponent(token)}`, 303);
      },
    });
  });
}

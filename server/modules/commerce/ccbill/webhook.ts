/**
 * The address of CCBill’s webhooks. It responds with 200 once `receive` has stored the webhook. A wrong secret and a
 * sender outside the CCBill networks get the same response as an unknown URL.
 */
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { createNetworkCheck, isSameSecret } from './sender.ts';
import { type ParsedWebhook, parseWebhook } from './webhook-body.ts';

/** The CCBill documentation spells the content type in the second form. */
const CONTENT_TYPES = ['application/x-www-form-urlencoded', 'application/x-www-form-encoded', 'application/json'];
const BODY_LIMIT = 64 * 1024;

export type WebhookSender = { contentType: string; peer: string };

type WebhookRequest = { Params: { secret: string } };

export async function registerWebhookEndpoint(
  { app, ctx }: Pick<ModuleHost, 'app' | 'ctx'>,
  receive: (webhook: ParsedWebhook, sender: WebhookSender) => Promise<void>,
): Promise<void> {
  const { isSandbox, webhookSecret, allowedAddresses } = ctx.config.payments;
  const isProcessorAddress = createNetworkCheck(allowedAddresses);

  async function requireSender(request: FastifyRequest<WebhookRequest>): Promise<void> {
    if (!isSameSecret(request.params.secret, webhookSecret)) throw new AppError('NOT_FOUND');
    if (!isSandbox && !isProcessorAddress(request.ip)) {
      ctx.log.warn(
        { peer: request.ip },
        'a webhook with the right secret came from outside the payment processor’s networks',
      );
      throw new AppError('NOT_FOUND');
    }
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(CONTENT_TYPES, { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    scope.route<WebhookRequest>({
      method: 'POST',
      url: '/api/webhook/ccbill/:secret',
      bodyLimit: BODY_LIMIT,
      onRequest: requireSender,
      handler: async (request, reply) => {
        const start = request.url.indexOf('?');
        const body = typeof request.body === 'string' ? request.body : '';
        const contentType = request.headers['content-type'] ?? '';
        const webhook = parseWebhook(start === -1 ? '' : request.url.slice(start + 1), body, contentType);
        await receive(webhook, { contentType: contentType.slice(0, 100), peer: request.ip });
        return reply.type('text/plain').send('OK');
      },
    });
  });
}

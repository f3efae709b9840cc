import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FileAnswer } from '@stagedoor/contract/atoms/route.ts';
import * as contract from '@stagedoor/contract/safari-push.ts';
import type { FastifyRequest } from 'fastify';
import type { Bind } from '../../../../kernel/bind.ts';
import type { Context } from '../../../../kernel/context.ts';
import { callerNetwork } from '../../../../kernel/http.ts';
import { forgetSafari, keepSafari } from '../devices.ts';
import { makePackage, type PackageVersion, webServiceUrl } from './package.ts';
import { type Holder, openAuthorization, openTicket, ticketFor, tokenFor } from './tickets.ts';

const LOGGED_CHARACTERS = 300;

/** Throws NOT_FOUND for another website push id and when this push is not configured. */
function requireSafari({ config }: Pick<Context, 'config'>, websitePushId: string) {
  const { safari } = config.push;
  if (safari?.id !== websitePushId) throw new AppError('NOT_FOUND');
  return safari;
}

async function answerPackage(
  ctx: Context,
  { version, websitePushId, ticket }: { version: PackageVersion; websitePushId: string; ticket: string },
): Promise<FileAnswer> {
  const safari = requireSafari(ctx, websitePushId);
  const holder = await openTicket(ctx, ticket);
  if (!holder) throw new AppError('UNAUTHORIZED');
  const body = await makePackage(ctx.config, safari, { version, token: tokenFor(ctx, holder) });
  return { name: 'stagedoor.pushpackage.zip', type: 'application/zip', body };
}

async function requireHolder(ctx: Context, { headers }: Pick<FastifyRequest, 'headers'>): Promise<Holder> {
  const holder = await openAuthorization(ctx, headers.authorization);
  if (!holder) throw new AppError('UNAUTHORIZED');
  return holder;
}

export function registerSafariPush({ bind, ctx }: { bind: Bind; ctx: Context }): void {
  bind(contract.safariPush, ({ actor }) => ({
    websitePushId: ctx.config.push.safari?.id ?? null,
    webServiceUrl: webServiceUrl(ctx.config),
    ticket: ticketFor(ctx, actor),
  }));
  bind(contract.safariPackage, ({ params, body }) => answerPackage(ctx, { version: 'v2', ...params, ...body }));
  bind(contract.safariPackageOfVersion, ({ params, body }) => answerPackage(ctx, { ...params, ...body }));
  bind(contract.registerSafari, async ({ params, request }) => {
    requireSafari(ctx, params.websitePushId);
    const holder = { ...(await requireHolder(ctx, request)), network: callerNetwork(request) };
    return { success: await keepSafari(ctx, holder, params) };
  });
  bind(contract.unregisterSafari, async ({ params, request }) => {
    requireSafari(ctx, params.websitePushId);
    return { success: await forgetSafari(ctx, await requireHolder(ctx, request), params.deviceToken) };
  });
  bind(contract.safariLog, ({ body }) => {
    const logs = body.logs.map((line) => line.slice(0, LOGGED_CHARACTERS));
    if (logs.length > 0) ctx.log.warn({ logs }, 'Safari found something wrong with its push');
    return { success: true };
  });
}

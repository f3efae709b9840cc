import * as contract from '@stagedoor/contract/notifications/safari-push.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FileResponse } from '@stagedoor/contract/shared/route.ts';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../../platform/context.ts';
import { getCallerNetwork } from '../../../../platform/http/http.ts';
import type { BindRoute } from '../../../../platform/http/routing.ts';
import { deleteSafariDevice, saveSafariDevice } from '../devices.ts';
import { createPushPackage, type PackageVersion, webServiceUrl } from './package.ts';
import { createPackageToken, createSafariTicket, openAuthorization, openTicket, type TicketHolder } from './tickets.ts';

const LOGGED_CHARACTERS = 300;

/** Throws NOT_FOUND for another website push id and when this push is not configured. */
function requireSafari({ config }: Pick<Context, 'config'>, websitePushId: string) {
  const { safari } = config.push;
  if (safari?.id !== websitePushId) throw new AppError('NOT_FOUND');
  return safari;
}

async function createPackageResponse(
  ctx: Context,
  { version, websitePushId, ticket }: { version: PackageVersion; websitePushId: string; ticket: string },
): Promise<FileResponse> {
  const safari = requireSafari(ctx, websitePushId);
  const holder = await openTicket(ctx, ticket);
  if (!holder) throw new AppError('UNAUTHORIZED');
  const body = await createPushPackage(ctx.config, safari, { version, token: createPackageToken(ctx, holder) });
  return { name: 'stagedoor.pushpackage.zip', type: 'application/zip', body };
}

async function requireHolder(ctx: Context, { headers }: Pick<FastifyRequest, 'headers'>): Promise<TicketHolder> {
  const holder = await openAuthorization(ctx, headers.authorization);
  if (!holder) throw new AppError('UNAUTHORIZED');
  return holder;
}

export function registerSafariPush({ bind, ctx }: { bind: BindRoute; ctx: Context }): void {
  bind(contract.getSafariPush, ({ actor }) => ({
    websitePushId: ctx.config.push.safari?.id ?? null,
    webServiceUrl: webServiceUrl(ctx.config),
    ticket: createSafariTicket(ctx, actor),
  }));
  bind(contract.downloadSafariPackage, ({ params, body }) =>
    createPackageResponse(ctx, { version: 'v2', ...params, ...body }),
  );
  bind(contract.downloadSafariPackageVersion, ({ params, body }) => createPackageResponse(ctx, { ...params, ...body }));
  bind(contract.registerSafariDevice, async ({ params, request }) => {
    requireSafari(ctx, params.websitePushId);
    const holder = { ...(await requireHolder(ctx, request)), network: getCallerNetwork(request) };
    return { success: await saveSafariDevice(ctx, holder, params) };
  });
  bind(contract.unregisterSafariDevice, async ({ params, request }) => {
    requireSafari(ctx, params.websitePushId);
    return { success: await deleteSafariDevice(ctx, await requireHolder(ctx, request), params.deviceToken) };
  });
  bind(contract.logSafariErrors, ({ body }) => {
    const logs = body.logs.map((line) => line.slice(0, LOGGED_CHARACTERS));
    if (logs.length > 0) ctx.log.warn({ logs }, 'Safari found something wrong with its push');
    return { success: true };
  });
}

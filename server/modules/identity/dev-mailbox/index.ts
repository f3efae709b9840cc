/** The mailbox is never bound in production. */
import { listMail } from '@stagedoor/contract/identity/dev-mailbox.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { listStoredMail } from './mailbox.ts';
import { manifest } from './manifest.ts';

export function hasMailbox(config: ModuleHost['ctx']['config']): boolean {
  return !config.isProduction && config.smtpUrl === undefined;
}

function register({ bind, ctx }: ModuleHost): void {
  if (!hasMailbox(ctx.config)) return;
  bind(listMail, async ({ query }) => ({ data: await listStoredMail(ctx.db, query.to) }));
}

export const featureModule = { ...manifest, register };

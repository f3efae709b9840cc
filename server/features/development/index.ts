/** The mailbox is never bound in production. */
import { listMail } from '@stagedoor/contract/development.ts';
import type { Server } from '../../kernel/bind.ts';
import { listKeptMail } from './mailbox.ts';
import { manifest } from './manifest.ts';

export function hasMailbox(config: Server['ctx']['config']): boolean {
  return !config.isProduction && config.smtpUrl === undefined;
}

function register({ bind, ctx }: Server): void {
  if (!hasMailbox(ctx.config)) return;
  bind(listMail, async ({ query }) => ({ data: await listKeptMail(ctx.db, query.to) }));
}

export const room = { ...manifest, register };

/** Binds the contract's account routes to their verbs. */
import type { Server } from '../../kernel/bind.ts';
import { purgeExpired, sessionFinder } from './sessions.ts';

export function register({ ctx }: Server): void {
  ctx.sessions.use(sessionFinder(ctx));
  ctx.jobs.schedule('accounts.purge', '17 * * * *', () => purgeExpired(ctx));
}

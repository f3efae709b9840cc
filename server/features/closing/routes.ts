import * as contract from '@stagedoor/contract/closing.ts';
import type { Server } from '../../kernel/bind.ts';
import { clearCookies } from '../accounts/index.ts';
import * as service from './service.ts';

export function register({ ctx, bind }: Server): void {
  ctx.jobs.define(service.eraseJob, ({ userId }, attempt) => service.erase(ctx, userId, attempt), 'own');
  ctx.jobs.schedule('closing.due', '53 * * * *', () => service.closeDue(ctx));
  bind(contract.getClosing, ({ actor }) => service.viewClosing(ctx, actor));
  bind(contract.closeAccount, async ({ actor, body, reply }) => {
    const answer = await service.close(ctx, actor, body);
    clearCookies(ctx, reply);
    return answer;
  });
}

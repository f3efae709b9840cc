import * as contract from '@stagedoor/contract/identity/account-deletion.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { clearCookies } from '../accounts/index.ts';
import * as service from './service.ts';

export function register({ ctx, bind }: ModuleHost): void {
  ctx.jobs.define(service.eraseJob, ({ userId }, attempt) => service.eraseUser(ctx, userId, attempt), 'own');
  ctx.jobs.schedule('accountDeletion.startDue', '53 * * * *', () => service.startDueDeletions(ctx));
  bind(contract.getAccountDeletion, ({ actor }) => service.getDeletionPreview(ctx, actor));
  bind(contract.requestAccountDeletion, async ({ actor, body, reply }) => {
    const response = await service.requestDeletion(ctx, actor, body);
    clearCookies(ctx, reply);
    return response;
  });
}

import * as contract from '@stagedoor/contract/identity/data-export.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerDeletionStep } from '../account-deletion/index.ts';
import { registerOwnParts } from './account-parts.ts';
import * as service from './service.ts';

export function register({ ctx, bind }: ModuleHost): void {
  ctx.jobs.define(service.createExportJob, (input, attempt) => service.createExport(ctx, input, attempt), 'own');
  ctx.jobs.define(service.deleteExportFileJob, ({ id }) => service.deleteExportFile(ctx, id));
  ctx.jobs.schedule('dataExport.purgeExpired', '41 * * * *', () => service.purgeExpiredExports(ctx));
  ctx.jobs.schedule('dataExport.cleanOrphans', '43 3 * * *', async () => void (await service.deleteOrphanExports(ctx)));
  registerOwnParts(ctx);
  registerDeletionStep(ctx, 'data-export', {
    erase: (_ctx, { userId }) => ctx.db.transaction((tx) => service.deleteExport(ctx, tx, userId)),
  });
  bind(contract.getDataExport, ({ actor }) => service.getExport(ctx, actor));
  bind(contract.requestDataExport, ({ actor }) => service.requestExport(ctx, actor));
  bind(contract.unlockDataExport, ({ actor, body }) => service.unlockExport(ctx, actor, body));
  bind(contract.downloadDataExport, async ({ actor, reply }) => {
    // With this header no cache could serve the file to another user.
    reply.header('vary', 'Cookie');
    return service.downloadExport(ctx, actor);
  });
}

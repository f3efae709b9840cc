import * as contract from '@stagedoor/contract/archive.ts';
import type { Server } from '../../kernel/bind.ts';
import { registerClosing } from '../closing/index.ts';
import { registerOwnParts } from './own.ts';
import * as service from './service.ts';

export function register({ ctx, bind }: Server): void {
  ctx.jobs.define(service.makeJob, (asked, attempt) => service.make(ctx, asked, attempt), 'own');
  ctx.jobs.define(service.removeJob, ({ id }) => service.remove(ctx, id));
  ctx.jobs.schedule('archive.expire', '41 * * * *', () => service.expire(ctx));
  ctx.jobs.schedule('archive.left', '43 3 * * *', async () => void (await service.removeLeftArchives(ctx)));
  registerOwnParts(ctx);
  registerClosing(ctx, 'archive', {
    erase: (_ctx, { userId }) => ctx.db.transaction((tx) => service.forgetArchive(ctx, tx, userId)),
  });
  bind(contract.getArchive, ({ actor }) => service.viewArchive(ctx, actor));
  bind(contract.askArchive, ({ actor }) => service.ask(ctx, actor));
  bind(contract.openArchive, ({ actor, body }) => service.open(ctx, actor, body));
  bind(contract.downloadArchive, async ({ actor, reply }) => {
    // With this header no cache could serve the file to another user.
    reply.header('vary', 'Cookie');
    return service.download(ctx, actor);
  });
}

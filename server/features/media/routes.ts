import multipart from '@fastify/multipart';
import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/atoms/limits.ts';
import * as contract from '@stagedoor/contract/media.ts';
import type { Server } from '../../kernel/bind.ts';
import './events.ts';
import { registerMediaPart } from './archive.ts';
import { registerMediaClosing } from './closing.ts';
import { addCaptions, givePoster, removeCaptions } from './library/posters.ts';
import * as library from './library/service.ts';
import { PORTRAIT_MAX_BYTES, readPictureForm } from './portraits.ts';
import { presentUpload } from './present.ts';
import { definePictureJobs } from './process.ts';
import { defineDiscard } from './queue.ts';
import { registerServing } from './serving/serve.ts';
import { findMedia } from './store.ts';
import { registerAudit } from './upkeep/audit.ts';
import { purgeDeleted } from './upkeep/deleted.ts';
import { takeUpStranded } from './upkeep/stranded.ts';
import { registerUploads } from './uploads.ts';
import { defineStreamJobs } from './video/jobs.ts';
import { defineTeaserJob } from './video/teasers.ts';
import { sweepWorkFolders } from './video/work.ts';

export async function register(server: Server): Promise<void> {
  const { app, ctx, bind } = server;
  registerMediaClosing(ctx);
  registerMediaPart(ctx);
  await app.register(multipart, {
    limits: { fileSize: PORTRAIT_MAX_BYTES, files: 1, fields: 10, fieldSize: 10_000, parts: 11, headerPairs: 50 },
  });
  const closing = new AbortController();
  app.addHook('onClose', async () => closing.abort(new Error('the process ends')));
  definePictureJobs(ctx);
  defineStreamJobs(ctx, closing.signal);
  defineTeaserJob(ctx);
  defineDiscard(ctx);
  ctx.jobs.schedule('media.purge', '23 * * * *', () => purgeDeleted(ctx));
  ctx.jobs.schedule('media.takeUp', '53 * * * *', async () => void (await takeUpStranded(ctx)));
  registerAudit(server);
  await sweepWorkFolders(ctx.config.dataDir, ctx.clock.now().getTime());
  await registerUploads(server);
  registerServing(server);
  bindLibrary(server);

  bind(contract.getMediaSettings, ({ actor }) => library.getSettings(ctx, actor));
  bind(contract.updateMediaSettings, ({ actor, body }) => library.changeSettings(ctx, actor, body));
  bind(contract.getPosition, ({ actor, params }) => library.getPosition(ctx, actor, params.id));
  bind(contract.savePosition, ({ actor, params, body }) => library.savePosition(ctx, actor, params.id, body.seconds));

  const ofMedium = ({ mediaId }: { mediaId: string }) => `media:${mediaId}`;
  ctx.events.tell('media.processed', 'media.tellOwner', ofMedium, async ({ payload }) => {
    const row = await findMedia(ctx.db, payload.mediaId);
    if (row) ctx.realtime.toUser(row.owner_id, contract.mediaProcessed, presentUpload(row));
  });
}

function bindLibrary({ ctx, bind }: Server): void {
  bind(contract.listMedia, ({ actor, query }) => library.listUploads(ctx, actor, query));
  bind(contract.getMedia, ({ actor, params }) => library.getDetail(ctx, actor, params.id));
  bind(contract.updateMedia, ({ actor, params, body }) => library.changeUpload(ctx, actor, params.id, body));
  bind(contract.deleteMedia, async ({ actor, params }) => {
    await library.deleteUpload(ctx, actor, params.id);
    return { info: `Deleted. You can restore it within ${DELETED_MEDIA_DAYS} days.` };
  });
  bind(contract.restoreMedia, ({ actor, params }) => library.restoreUpload(ctx, actor, params.id));
  bind(contract.setPoster, async ({ actor, params, request }) => {
    const row = await library.ownUpload(ctx, actor, params.id);
    await givePoster(ctx, row, await readPictureForm(ctx, request));
    return library.getDetail(ctx, actor, params.id);
  });
  bind(contract.addCaptions, async ({ actor, params, request }) => {
    const row = await library.ownUpload(ctx, actor, params.id);
    await addCaptions(ctx, row, await readPictureForm(ctx, request));
    return library.getDetail(ctx, actor, params.id);
  });
  bind(contract.removeCaptions, async ({ actor, params }) => {
    await removeCaptions(ctx, await library.ownUpload(ctx, actor, params.id), params.language);
    return library.getDetail(ctx, actor, params.id);
  });
}

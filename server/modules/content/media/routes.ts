import multipart from '@fastify/multipart';
import * as contract from '@stagedoor/contract/content/media.ts';
import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/shared/limits.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { sweepWorkFolders } from '../media-processing/index.ts';
import './events.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { registerMediaDeletionStep } from './account-deletion.ts';
import { registerMediaExportPart } from './data-export.ts';
import { registerDelivery } from './delivery/serve.ts';
import { definePictureJobs } from './jobs/picture-jobs.ts';
import { defineDeletionJobs } from './jobs/queue.ts';
import { defineStreamJobs } from './jobs/video/stream-jobs.ts';
import { defineTeaserJob } from './jobs/video/teasers.ts';
import { addCaptions, removeCaptions } from './library/caption-tracks.ts';
import { setPosterFromUpload } from './library/posters.ts';
import * as library from './library/service.ts';
import { registerMediaAudit } from './maintenance/audit.ts';
import { purgeDeleted } from './maintenance/deleted.ts';
import { requeueStuckUploads } from './maintenance/stuck-uploads.ts';
import { presentUpload } from './present.ts';
import { PICTURE_FORM_MAX_BYTES, readPictureForm } from './profile-pictures.ts';
import { findMedia } from './store.ts';
import * as texts from './texts.ts';
import { registerUploads } from './uploads.ts';

export async function register(server: ModuleHost): Promise<void> {
  const { app, ctx, bind } = server;
  registerMediaDeletionStep(ctx);
  registerMediaExportPart(ctx);
  await app.register(multipart, {
    limits: { fileSize: PICTURE_FORM_MAX_BYTES, files: 1, fields: 10, fieldSize: 10_000, parts: 11, headerPairs: 50 },
  });
  const shutdown = new AbortController();
  app.addHook('onClose', async () => shutdown.abort(new Error('the process ends')));
  definePictureJobs(ctx);
  defineStreamJobs(ctx, shutdown.signal);
  defineTeaserJob(ctx);
  defineDeletionJobs(ctx);
  ctx.jobs.schedule('media.purge', '23 * * * *', () => purgeDeleted(ctx));
  ctx.jobs.schedule('media.requeueStuck', '53 * * * *', async () => void (await requeueStuckUploads(ctx)));
  registerMediaAudit(server);
  await sweepWorkFolders(ctx.config.dataDir, ctx.clock.now().getTime());
  await registerUploads(server);
  registerDelivery(server);
  bindLibrary(server);

  bind(contract.getMediaSettings, ({ actor }) => library.getSettings(ctx, actor));
  bind(contract.updateMediaSettings, ({ actor, body }) => library.updateSettings(ctx, actor, body));
  bind(contract.getPlaybackPosition, ({ actor, params }) => library.getPosition(ctx, actor, params.id));
  bind(contract.savePlaybackPosition, ({ actor, params, body }) =>
    library.savePosition(ctx, actor, params.id, body.seconds),
  );

  const toMediaSubject = ({ mediaId }: { mediaId: string }) => `media:${mediaId}`;
  ctx.events.addBroadcastHandler('media.processed', 'media.emitProcessed', toMediaSubject, async ({ payload }) => {
    const row = await findMedia(ctx.db, payload.mediaId);
    if (row) ctx.realtime.emitToUser(row.owner_id, contract.mediaProcessed, presentUpload(row));
  });
}

function bindLibrary({ ctx, bind }: ModuleHost): void {
  bind(contract.listMedia, ({ actor, query }) => library.listUploads(ctx, actor, query));
  bind(contract.getMedia, ({ actor, params }) => library.getUploadDetail(ctx, actor, params.id));
  bind(contract.updateMedia, ({ actor, params, body }) => library.updateUpload(ctx, actor, params.id, body));
  bind(contract.deleteMedia, async ({ actor, params }) => {
    await library.deleteUpload(ctx, actor, params.id);
    return { info: formatText(texts.mediaDeleted, { days: DELETED_MEDIA_DAYS }) };
  });
  bind(contract.restoreMedia, ({ actor, params }) => library.restoreUpload(ctx, actor, params.id));
  bind(contract.uploadPoster, async ({ actor, params, request }) => {
    const row = await library.getOwnUpload(ctx, actor, params.id);
    await setPosterFromUpload(ctx, row, await readPictureForm(ctx, request));
    return library.getUploadDetail(ctx, actor, params.id);
  });
  bind(contract.addCaptions, async ({ actor, params, request }) => {
    const row = await library.getOwnUpload(ctx, actor, params.id);
    await addCaptions(ctx, row, await readPictureForm(ctx, request));
    return library.getUploadDetail(ctx, actor, params.id);
  });
  bind(contract.removeCaptions, async ({ actor, params }) => {
    await removeCaptions(ctx, await library.getOwnUpload(ctx, actor, params.id), params.language);
    return library.getUploadDetail(ctx, actor, params.id);
  });
}

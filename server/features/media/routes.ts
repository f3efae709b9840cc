/** Binds uploads, serving and the owner's calls. */
import multipart from '@fastify/multipart';
import { deleteMedia, getMedia, mediaProcessed } from '@stagedoor/contract/posts.ts';
import type { Server } from '../../kernel/bind.ts';
import './events.ts';
import { PORTRAIT_MAX_BYTES } from './portraits.ts';
import { presentUpload } from './present.ts';
import { defineJobs } from './process.ts';
import { registerServing } from './serve.ts';
import { deleteUpload, getUpload } from './service.ts';
import { findMedia } from './store.ts';
import { registerUploads } from './uploads.ts';

export async function register(server: Server): Promise<void> {
  const { app, ctx, bind } = server;
  await app.register(multipart, {
    limits: { fileSize: PORTRAIT_MAX_BYTES, files: 1, fields: 10, fieldSize: 10_000, parts: 11, headerPairs: 50 },
  });
  defineJobs(ctx);
  await registerUploads(server);
  registerServing(server);

  bind(getMedia, ({ actor, params }) => getUpload(ctx, actor, params.id));
  bind(deleteMedia, async ({ actor, params }) => {
    await deleteUpload(ctx, actor, params.id);
    return { info: 'The picture is discarded.' };
  });

  ctx.events.on('media.processed', 'media.tellOwner', async ({ payload }) => {
    const row = await findMedia(ctx.db, payload.mediaId);
    if (row) ctx.realtime.toUser(row.owner_id, mediaProcessed, presentUpload(row));
  });
}

import { readdir, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { createId } from '../../../platform/ids.ts';
import { createTestApp } from '../../../testing/app.ts';
import { startObjectStore } from '../../../testing/object-store.ts';
import { createInputArgs, createMediaFile } from '../media-processing/testing.ts';
import { originalKey } from './keys.ts';
import { findMedia, insertUpload } from './store.ts';
import { sweepUploads } from './uploads.ts';

it('a received upload is retained until the store accepts it, and is handed over only once at a time', async () => {
  const objects = await startObjectStore();
  const app = await createTestApp({ env: objects.env });
  try {
    const { ctx } = app;
    const uploader = await app.signUp('creator');
    const id = createId(ctx.clock);
    const byteSize = 65 * 1024 * 1024;
    const file = path.join(ctx.config.dataDir, 'uploads', id);
    await writeFile(file, await createMediaFile('a.wav', createInputArgs({ seconds: 1 }).slice(4)));
    await truncate(file, byteSize);
    await ctx.db.transaction((tx) =>
      insertUpload(tx, {
        ...{ id, ownerId: uploader.id, fileName: 'a.wav', byteSize },
        createdAt: ctx.clock.now(),
        limit: 40,
      }),
    );
    const rejections: ((error: Error) => void)[] = [];
    const putFile = vi
      .spyOn(ctx.storage, 'putFile')
      .mockImplementation(() => new Promise<void>((_resolve, reject) => void rejections.push(reject)));
    const failTransfers = async () => {
      for (const reject of rejections.splice(0)) reject(new Error('Slow Down'));
      await new Promise((resolve) => void setImmediate(resolve));
    };
    const headers = { cookie: uploader.cookie, 'tus-resumable': '1.0.0' };
    const head = () => app.app.http.inject({ method: 'HEAD', url: `/files/${id}`, headers });
    expect((await head()).headers['upload-offset']).toBe(String(byteSize));
    await head();
    await sweepUploads(ctx);
    expect(putFile).toHaveBeenCalledTimes(1);
    await failTransfers();
    app.clock.advance(25 * 60 * 60_000);
    await sweepUploads(ctx);
    expect((await findMedia(ctx.db, id))?.status).toBe('processing');
    expect((await stat(file)).size).toBe(byteSize);
    expect(putFile).toHaveBeenCalledTimes(2);
    await failTransfers();
    putFile.mockResolvedValue();
    await sweepUploads(ctx);
    expect(putFile).toHaveBeenLastCalledWith(originalKey(id), file, expect.stringContaining('wav'));
    await vi.waitFor(async () => expect(await readdir(path.dirname(file))).toEqual([]), { timeout: 30_000 });
  } finally {
    await app.close();
    await objects.close();
  }
});

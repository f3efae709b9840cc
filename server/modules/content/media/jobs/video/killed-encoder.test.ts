import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createInputArgs, createMediaFile } from '../../../media-processing/testing.ts';
import { openIdleUploadTest } from '../../tus.testing.ts';

it('a video whose encoder is killed is encoded again', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-killed-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const writeProgram = async (name: string, script: string) => {
    const file = path.join(dir, name);
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return file;
  };
  await writeProgram('ffprobe', 'exec ffprobe "$@"');
  const failOnceScript = `case "$*" in *libx264*) mkdir '${dir}/once' 2>/dev/null && kill -KILL $$ ;; esac`;
  const { test, client, makeReady } = await openIdleUploadTest({
    FFMPEG_PATH: await writeProgram('ffmpeg', `${failOnceScript}\nexec ffmpeg "$@"`),
  });
  try {
    const film = await createMediaFile('film.avi', [
      ...createInputArgs({ seconds: 1, size: '64x36' }),
      '-c:v',
      'mpeg4',
      '-q:v',
      '5',
    ]);
    const id = await client.upload(film, 'film.avi', 'video/vnd.avi');
    expect(await makeReady(id)).toMatchObject({ status: 'processing', failure: null });
    expect(await readdir(path.join(dir, 'once'))).toEqual([]);
    const { rowCount } = await test.ctx.db.pool.query(
      'update graphile_worker._private_jobs set run_at = now() where key = $1 and attempts = 1',
      [`media.encode:${id}`],
    );
    expect(rowCount).toBe(1);
    expect(await makeReady(id)).toMatchObject({ kind: 'video', status: 'ready' });
  } finally {
    await test.close();
  }
});

import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MachineError, SlowError } from '../sentences.ts';
import { openIdleStage } from '../tus.testing.ts';
import { makeLoop } from './animated.ts';
import { glanceAt, isDamaged } from './damage.ts';
import { inspect, type Source } from './inspect.ts';
import { encode, firstStepOf } from './ladder.ts';
import { asMediaError } from './package.ts';
import { normalise } from './sound.ts';
import { inputs, made } from './testing.ts';
import { LIMITS, runTool, type Tools } from './tools.ts';

const video = {
  ...{ index: 0, width: 320, height: 180, isTurned: false, frameRate: 25, isPlayable: true, isHdr: false },
  ...{ isInterlaced: false, heldSeconds: 0 },
};
const source: Source & { video: typeof video } = {
  ...{ demuxer: 'mov', startSeconds: 0, seconds: 2, bitRate: 1000, cover: null, video },
  audio: { isPlayable: true, channels: 2, silentSeconds: 0 },
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-killed-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function program(name: string, script: string): Promise<string> {
  const file = path.join(dir, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

async function toolsThat(script: string): Promise<Tools> {
  const file = await program('tool', script);
  return { ffmpeg: file, ffprobe: file, path: process.env.PATH ?? '', hasSetpriv: false, hasPrlimit: false };
}

describe.each([
  ['is killed', 'kill -KILL $$'],
  ['gets no memory', 'echo "Error while opening: Cannot allocate memory" >&2; exit 1'],
])('a program that %s', (_how, script) => {
  it('is not blamed on the video, audio or animated picture', async () => {
    const bench = { tools: await toolsThat(script), dir };
    const loop = path.join(dir, 'loop.png');
    await writeFile(loop, await made('loop.apng', inputs({ seconds: 0.4, hasSound: false })));
    const all = {
      inspect: () => inspect(bench.tools, dir, 'film.mp4', 'mov'),
      glanceAt: () => glanceAt(bench, 'film.mp4', source),
      isDamaged: () => isDamaged(bench, 'film.mp4', source),
      encode: () => encode(bench, 'film.mp4', source, [firstStepOf(video)]),
      normalise: () => normalise(bench, 'film.mp4', source),
      makeLoop: () => makeLoop(bench, loop, 'image/apng'),
    };
    for (const [name, run] of Object.entries(all)) await expect(run(), name).rejects.toBeInstanceOf(MachineError);
    const failed = new MachineError('killed');
    expect(asMediaError(failed, 'This is damaged.')).toBe(failed);
  });
});

it('a program that exceeds its time limit is reported as slow, whatever the file', async () => {
  const tools = await toolsThat('exec sleep 30');
  const run = runTool(tools, 'ffmpeg', { args: [], cwd: dir, limits: { ...LIMITS.probe, timeoutMs: 50 } });
  await expect(run).rejects.toBeInstanceOf(SlowError);
});

it('a video whose encoder is killed is encoded again', async () => {
  await program('ffprobe', 'exec ffprobe "$@"');
  const once = `case "$*" in *libx264*) mkdir '${dir}/once' 2>/dev/null && kill -KILL $$ ;; esac`;
  const { test, client, makeReady } = await openIdleStage({
    FFMPEG_PATH: await program('ffmpeg', `${once}\nexec ffmpeg "$@"`),
  });
  try {
    const film = await made('film.avi', [...inputs({ seconds: 1, size: '64x36' }), '-c:v', 'mpeg4', '-q:v', '5']);
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

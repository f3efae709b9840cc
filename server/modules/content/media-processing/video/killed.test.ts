import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProcessingTimeoutError, TransientError } from '../error-messages.ts';
import { createInputArgs, createMediaFile } from '../testing.ts';
import { makeLoop } from './animated.ts';
import { isDamaged, spotCheck } from './damage.ts';
import { inspectSource, type ProbedSource } from './inspect.ts';
import { encode, getFirstRenditionSpec } from './ladder.ts';
import { toMediaError } from './package.ts';
import { normalizeAudio } from './sound.ts';
import { type MediaTools, runTool, TOOL_LIMITS } from './tools.ts';

const video = {
  ...{ index: 0, width: 320, height: 180, isRotated: false, frameRate: 25, isPlayable: true, isHdr: false },
  ...{ isInterlaced: false, heldSeconds: 0 },
};
const source: ProbedSource & { video: typeof video } = {
  ...{ demuxer: 'mov', startSeconds: 0, seconds: 2, bitRate: 1000, cover: null, video },
  audio: { isPlayable: true, channels: 2, silentSeconds: 0 },
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-killed-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function createTools(script: string): Promise<MediaTools> {
  const file = path.join(dir, 'tool');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return { ffmpeg: file, ffprobe: file, path: process.env.PATH ?? '', hasSetpriv: false, hasPrlimit: false };
}

describe.each([
  ['is killed', 'kill -KILL $$'],
  ['gets no memory', 'echo "Error while opening: Cannot allocate memory" >&2; exit 1'],
])('a program that %s', (_how, script) => {
  it('is not blamed on the video, audio or animated picture', async () => {
    const workspace = { tools: await createTools(script), dir };
    const loop = path.join(dir, 'loop.png');
    await writeFile(loop, await createMediaFile('loop.apng', createInputArgs({ seconds: 0.4, hasSound: false })));
    const runs = {
      inspect: () => inspectSource(workspace.tools, dir, 'film.mp4', 'mov'),
      spotCheck: () => spotCheck(workspace, 'film.mp4', source),
      isDamaged: () => isDamaged(workspace, 'film.mp4', source),
      encode: () => encode(workspace, 'film.mp4', source, [getFirstRenditionSpec(video)]),
      normalizeAudio: () => normalizeAudio(workspace, 'film.mp4', source),
      makeLoop: () => makeLoop(workspace, loop, 'image/apng'),
    };
    for (const [name, run] of Object.entries(runs)) await expect(run(), name).rejects.toBeInstanceOf(TransientError);
    const transientError = new TransientError('killed');
    expect(toMediaError(transientError, 'This is damaged.')).toBe(transientError);
  });
});

it('a program that exceeds its time limit is reported as slow, whatever the file', async () => {
  const tools = await createTools('exec sleep 30');
  const run = runTool(tools, 'ffmpeg', { args: [], cwd: dir, limits: { ...TOOL_LIMITS.probe, timeoutMs: 50 } });
  await expect(run).rejects.toBeInstanceOf(ProcessingTimeoutError);
});

import { execFile } from 'node:child_process';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Media, media as mediaView } from '../../contract/media.ts';
import { prefixesOf } from '../../server/features/media/keys.ts';
import type { Child } from '../harness/child.ts';
import type { Stage } from '../harness/stage.ts';
import { EMPTY_COOKIE } from './library.ts';

const run = promisify(execFile);
const CHUNK = 16 * 1024 * 1024;

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};

export async function makeFilms(stage: Stage): Promise<{ short: string; long: string; seconds: number }> {
  const seconds = stage.options.isQuick ? 4 : 20;
  const [short, long] = [join(stage.folder, 'short.mp4'), join(stage.folder, 'long.mp4')];
  stage.tell('making films');
  const generated = [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=1280x720:r=30:d=${seconds}`,
    '-f',
    'lavfi',
    '-i',
    `sine=f=440:d=${seconds}`,
  ];
  const codec = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-b:v',
    '4M',
    '-g',
    '60',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-shortest',
  ];
  await run('ffmpeg', ['-v', 'error', '-y', ...generated, ...codec, short]);
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-stream_loop',
    stage.options.isQuick ? '4' : '19',
    '-i',
    short,
    '-c',
    'copy',
    long,
  ]);
  return { short, long, seconds };
}

export async function makeMinute(stage: Stage): Promise<{ file: string; seconds: number }> {
  const piece = stage.options.isQuick ? 2 : 20;
  const [part, file] = [join(stage.folder, 'part.mp4'), join(stage.folder, 'minute.mp4')];
  const generated = [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=s=1920x1080:r=30:d=${piece}`,
    '-f',
    'lavfi',
    '-i',
    `sine=d=${piece}`,
  ];
  const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '8M', '-g', '60', '-pix_fmt', 'yuv420p'];
  const words = ['-v', 'error', '-y'];
  await run('ffmpeg', [...words, ...generated, ...codec, '-c:a', 'aac', '-shortest', part]);
  await run('ffmpeg', [...words, '-stream_loop', '2', '-i', part, '-c', 'copy', file]);
  return { file, seconds: piece * 3 };
}

async function viewAt(url: string, headers: Record<string, string>): Promise<Media> {
  const answer = await fetch(url, { headers });
  return mediaView.parse(await answer.json());
}

/** Uploads a file by tus and waits until it plays. Returns the seconds of each step. */
export async function uploadTo(
  { port }: Child,
  cookie: string,
  file: string,
): Promise<{ id: string; upload: number; play: number }> {
  const { size } = await stat(file);
  const headers = { 'tus-resumable': '1.0.0', cookie: cookie.slice('cookie: '.length) };
  const origin = `http://127.0.0.1:${port}`;
  const metadata = `filename ${btoa('film.mp4')},filetype ${btoa('video/mp4')}`;
  const created = await fetch(`${origin}/files`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(size), 'upload-metadata': metadata },
  });
  const address = created.headers.get('location') ?? '';
  if (created.status !== 201) throw new Error(`an upload was answered ${created.status}`);
  const handle = await open(file);
  const upload = await timed(async () => {
    for (let at = 0; at < size; at += CHUNK) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, at);
      const answer = await fetch(origin + address, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) },
        body: buffer.subarray(0, bytesRead),
      });
      if (answer.status !== 204) throw new Error(`a chunk was answered ${answer.status}`);
    }
  });
  await handle.close();
  const id = address.slice('/files/'.length);
  const play = await timed(async () => {
    for (;;) {
      const view = await viewAt(`${origin}/api/creator/media/${id}`, headers);
      if (view.status === 'ready') return;
      if (view.status === 'failed') throw new Error(view.failure ?? 'it failed');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  });
  return { id, upload, play };
}

export async function rawWrite(stage: Stage, file: string): Promise<number> {
  const target = join(stage.folder, 'raw');
  const from = await open(file);
  const to = await open(target, 'w');
  const { size } = await from.stat();
  const seconds = await timed(async () => {
    for (let at = 0; at < size; at += CHUNK) {
      const { buffer, bytesRead } = await from.read(Buffer.alloc(CHUNK), 0, CHUNK, at);
      await to.write(buffer, 0, bytesRead, at);
    }
  });
  await Promise.all([from.close(), to.close()]);
  await rm(target);
  return seconds;
}

/**
 * Deletes an upload and waits until its processing has noticed, which checks once per second. Its files, which are
 * otherwise retained for days, are removed too.
 */
export async function discard({ port }: Child, dataDir: string, cookie: string, id: string): Promise<void> {
  const headers = { cookie: cookie.slice('cookie: '.length) };
  const answer = await fetch(`http://127.0.0.1:${port}/api/creator/media/${id}`, { method: 'DELETE', headers });
  if (!answer.ok) throw new Error(`an upload was not discarded: ${answer.status}`);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const folders = prefixesOf(id).map((prefix) => join(dataDir, 'media', 'private', prefix));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

export async function settled({ port }: Child, id: string): Promise<void> {
  const headers = { cookie: EMPTY_COOKIE.slice('cookie: '.length) };
  for (;;) {
    const view = await viewAt(`http://127.0.0.1:${port}/api/creator/media/${id}`, headers);
    if (view.stage === 'done') return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

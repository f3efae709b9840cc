import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Media, media as mediaView } from '@stagedoor/contract/content/media.ts';
import * as z from 'zod/mini';
import type { Inject } from '../../../../testing/app.ts';

const run = promisify(execFile);

type Files = Readonly<Record<string, Buffer>>;

async function withTempFolder<T>(files: Files, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-film-'));
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(dir, name), content);
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export function createMediaFile(name: string, args: readonly string[], files: Files = {}): Promise<Buffer> {
  return withTempFolder(files, async (dir) => {
    await run('ffmpeg', ['-v', 'error', '-y', ...args, name], { cwd: dir });
    return readFile(path.join(dir, name));
  });
}

export type VideoOptions = { seconds?: number; size?: string; hasSound?: boolean; args?: readonly string[] };

export function createInputArgs({ seconds = 2, size = '320x180', hasSound = true }: VideoOptions = {}): string[] {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`];
  return hasSound ? [...picture, ...sound] : picture;
}

export function createH264(options: VideoOptions = {}): Promise<Buffer> {
  const codec = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '25',
    '-c:a',
    'aac',
    '-shortest',
  ];
  return createMediaFile('film.mp4', [...createInputArgs(options), ...codec, ...(options.args ?? [])]);
}

export function convertFile(file: Buffer, name: string, args: readonly string[]): Promise<Buffer> {
  return createMediaFile(name, ['-i', 'given', ...args], { given: file });
}

export function probeFile(
  bytes: Buffer,
): Promise<{ streams: Record<string, unknown>[]; format: { duration: string; tags?: object } }> {
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', 'x'];
  return withTempFolder({ x: bytes }, async (dir) => JSON.parse((await run('ffprobe', args, { cwd: dir })).stdout));
}

export type Packet = { start: number; end: number; at: number; size: number };

/** Start and end in seconds, and the position in the file. */
export function listPackets(bytes: Buffer, kind: 'v' | 'a'): Promise<Packet[]> {
  const entryArgs = ['-select_streams', `${kind}:0`, '-show_entries', 'packet=pts_time,duration_time,pos,size'];
  return withTempFolder({ x: bytes }, async (dir) => {
    const { stdout } = await run('ffprobe', ['-v', 'error', ...entryArgs, '-of', 'json', 'x'], { cwd: dir });
    const found: { packets: Record<string, string | undefined>[] } = JSON.parse(stdout);
    return found.packets.map(({ pts_time: start, duration_time: length, pos, size }) => ({
      start: Number(start),
      end: Number(start) + Number(length ?? 0),
      at: Number(pos),
      size: Number(size),
    }));
  });
}

export function collectFfmpegMessages(bytes: Buffer, args: readonly string[] = [], level = 'error'): Promise<string> {
  const commandArgs = ['-nostdin', '-v', level, '-i', 'x', ...args, '-f', 'null', '-'];
  return withTempFolder({ x: bytes }, async (dir) => (await run('ffmpeg', commandArgs, { cwd: dir })).stderr);
}

type TestClient = { readonly inject: Inject };

export async function waitForMedia(
  owner: TestClient,
  id: string,
  isDone: (view: Media) => boolean,
  timeoutMs = 30_000,
): Promise<Media> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const response = await owner.inject('GET', `/api/creator/media/${id}`);
    const view = z.parse(mediaView, response.json());
    if (isDone(view)) return view;
    if (Date.now() > deadline || view.status === 'failed')
      throw new Error(`it stays ${view.status}, ${view.stage}: ${view.failure}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function fetchRenditions(as: TestClient, address: string) {
  const sendRequest = async (url: string, status: number, headers: Record<string, string> = {}) => {
    const response = await as.inject('GET', url, undefined, headers);
    if (response.statusCode !== status) throw new Error(`${url} answered ${response.statusCode}`);
    return response;
  };
  const resolveUrl = (url: string, name: string) => new URL(name, `http://x${url}`).pathname;
  const lines = (await sendRequest(address, 200)).body.split('\n');
  const renditions: { resolution: string; codecs: string; bytes: Buffer }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('#EXT-X-STREAM-INF')) continue;
    const rendition = resolveUrl(address, lines[at + 1] ?? '');
    const list = (await sendRequest(rendition, 200)).body;
    const name = /URI="([^"]+)"/.exec(list)?.[1] ?? '';
    const parts: Buffer[] = [];
    for (const [, length, start] of list.matchAll(/BYTERANGE[:=]"?(\d+)@(\d+)/g)) {
      const range = `bytes=${start}-${Number(start) + Number(length) - 1}`;
      parts.push((await sendRequest(resolveUrl(rendition, name), 206, { range })).rawPayload);
    }
    renditions.push({
      resolution: /RESOLUTION=(\d+x\d+)/.exec(line)?.[1] ?? '',
      codecs: /CODECS="([^"]*)"/.exec(line)?.[1] ?? '',
      bytes: Buffer.concat(parts),
    });
  }
  return renditions;
}

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Media, media as mediaView } from '@stagedoor/contract/media.ts';
import * as z from 'zod/mini';
import type { Inject } from '../../../testing/app.ts';

const run = promisify(execFile);

type Files = Readonly<Record<string, Buffer>>;

async function inFolder<T>(files: Files, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-film-'));
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(dir, name), content);
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export function made(name: string, args: readonly string[], files: Files = {}): Promise<Buffer> {
  return inFolder(files, async (dir) => {
    await run('ffmpeg', ['-v', 'error', '-y', ...args, name], { cwd: dir });
    return readFile(path.join(dir, name));
  });
}

export type FilmLook = { seconds?: number; size?: string; hasSound?: boolean; args?: readonly string[] };

export function inputs({ seconds = 2, size = '320x180', hasSound = true }: FilmLook = {}): string[] {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`];
  return hasSound ? [...picture, ...sound] : picture;
}

export function h264(look: FilmLook = {}): Promise<Buffer> {
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
  return made('film.mp4', [...inputs(look), ...codec, ...(look.args ?? [])]);
}

export function changed(file: Buffer, name: string, args: readonly string[]): Promise<Buffer> {
  return made(name, ['-i', 'given', ...args], { given: file });
}

export function probe(
  bytes: Buffer,
): Promise<{ streams: Record<string, unknown>[]; format: { duration: string; tags?: object } }> {
  const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', 'x'];
  return inFolder({ x: bytes }, async (dir) => JSON.parse((await run('ffprobe', args, { cwd: dir })).stdout));
}

export type Packet = { start: number; end: number; at: number; size: number };

/** Start and end in seconds, and the position in the file. */
export function packets(bytes: Buffer, kind: 'v' | 'a'): Promise<Packet[]> {
  const what = ['-select_streams', `${kind}:0`, '-show_entries', 'packet=pts_time,duration_time,pos,size'];
  return inFolder({ x: bytes }, async (dir) => {
    const { stdout } = await run('ffprobe', ['-v', 'error', ...what, '-of', 'json', 'x'], { cwd: dir });
    const found: { packets: Record<string, string | undefined>[] } = JSON.parse(stdout);
    return found.packets.map(({ pts_time: start, duration_time: length, pos, size }) => ({
      start: Number(start),
      end: Number(start) + Number(length ?? 0),
      at: Number(pos),
      size: Number(size),
    }));
  });
}

export function heard(bytes: Buffer, args: readonly string[] = [], level = 'error'): Promise<string> {
  const words = ['-nostdin', '-v', level, '-i', 'x', ...args, '-f', 'null', '-'];
  return inFolder({ x: bytes }, async (dir) => (await run('ffmpeg', words, { cwd: dir })).stderr);
}

type Person = { readonly inject: Inject };

export async function until(
  owner: Person,
  id: string,
  isSo: (view: Media) => boolean,
  timeoutMs = 30_000,
): Promise<Media> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await owner.inject('GET', `/api/creator/media/${id}`);
    const view = z.parse(mediaView, answer.json());
    if (isSo(view)) return view;
    if (Date.now() > deadline || view.status === 'failed')
      throw new Error(`it stays ${view.status}, ${view.stage}: ${view.failure}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function follow(as: Person, address: string) {
  const ask = async (url: string, status: number, headers: Record<string, string> = {}) => {
    const answer = await as.inject('GET', url, undefined, headers);
    if (answer.statusCode !== status) throw new Error(`${url} answered ${answer.statusCode}`);
    return answer;
  };
  const beside = (url: string, name: string) => new URL(name, `http://x${url}`).pathname;
  const lines = (await ask(address, 200)).body.split('\n');
  const rungs: { resolution: string; codecs: string; bytes: Buffer }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('#EXT-X-STREAM-INF')) continue;
    const rung = beside(address, lines[at + 1] ?? '');
    const list = (await ask(rung, 200)).body;
    const name = /URI="([^"]+)"/.exec(list)?.[1] ?? '';
    const parts: Buffer[] = [];
    for (const [, length, start] of list.matchAll(/BYTERANGE[:=]"?(\d+)@(\d+)/g)) {
      const range = `bytes=${start}-${Number(start) + Number(length) - 1}`;
      parts.push((await ask(beside(rung, name), 206, { range })).rawPayload);
    }
    rungs.push({
      resolution: /RESOLUTION=(\d+x\d+)/.exec(line)?.[1] ?? '',
      codecs: /CODECS="([^"]*)"/.exec(line)?.[1] ?? '',
      bytes: Buffer.concat(parts),
    });
  }
  return rungs;
}

/** For tests: small real videos and audios, made by ffmpeg's generators, and a player that follows a playlist. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Media, media as mediaView } from '@stagedoor/contract/media.ts';
import * as z from 'zod/mini';
import type { Inject } from '../../../testing/app.ts';

const run = promisify(execFile);

/** Runs ffmpeg with those options and answers the file that it wrote under `name`. */
export async function made(name: string, args: readonly string[]): Promise<Buffer> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-film-'));
  try {
    await run('ffmpeg', ['-v', 'error', '-y', ...args, name], { cwd: dir });
    return await readFile(path.join(dir, name));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export type FilmLook = { seconds?: number; size?: string; hasSound?: boolean; args?: readonly string[] };

/** The generators' inputs: a moving test card, and a tone. */
export function inputs({ seconds = 2, size = '320x180', hasSound = true }: FilmLook = {}): string[] {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`];
  return hasSound ? [...picture, ...sound] : picture;
}

/** MP4 with H.264 and AAC, as phones and editors make it. */
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

/** What those options make of a file. */
export async function changed(file: Buffer, name: string, args: readonly string[]): Promise<Buffer> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-film-'));
  try {
    await writeFile(path.join(dir, 'given'), file);
    await run('ffmpeg', ['-v', 'error', '-y', '-i', 'given', ...args, name], { cwd: dir });
    return await readFile(path.join(dir, name));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** What ffprobe finds in bytes. */
export async function probe(
  bytes: Buffer,
): Promise<{ streams: Record<string, unknown>[]; format: { duration: string; tags?: object } }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-probe-'));
  try {
    await writeFile(path.join(dir, 'x'), bytes);
    const args = ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path.join(dir, 'x')];
    return JSON.parse((await run('ffprobe', args)).stdout);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

type Person = { readonly inject: Inject };

/** Asks for an own upload until what is awaited is so. Throws when it ends otherwise, or not within half a minute. */
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

/** Follows a master playlist as a player does; answers each rung's bytes. Throws for an answer that is not the right one. */
export async function follow(as: Person, address: string) {
  const ask = async (url: string, status: number, headers: Record<string, string> = {}) => {
    const answer = await as.inject('GET', url, undefined, headers);
    if (answer.statusCode !== status) throw new Error(`${url} answered ${answer.statusCode}`);
    return answer;
  };
  const base = address.slice(0, address.lastIndexOf('/') + 1);
  const lines = (await ask(address, 200)).body.split('\n');
  const rungs: { resolution: string; codecs: string; bytes: Buffer }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('#EXT-X-STREAM-INF')) continue;
    const list = (await ask(`${base}${lines[at + 1]}`, 200)).body;
    const name = /URI="([^"]+)"/.exec(list)?.[1] ?? '';
    const parts: Buffer[] = [];
    for (const [, length, start] of list.matchAll(/BYTERANGE[:=]"?(\d+)@(\d+)/g)) {
      const range = `bytes=${start}-${Number(start) + Number(length) - 1}`;
      parts.push((await ask(`${base}${name}`, 206, { range })).rawPayload);
    }
    rungs.push({
      resolution: /RESOLUTION=(\d+x\d+)/.exec(line)?.[1] ?? '',
      codecs: /CODECS="([^"]*)"/.exec(line)?.[1] ?? '',
      bytes: Buffer.concat(parts),
    });
  }
  return rungs;
}

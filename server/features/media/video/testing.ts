/** Small real videos and audios for tests, made by ffmpeg's generators: a second or more, 320 × 180. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

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

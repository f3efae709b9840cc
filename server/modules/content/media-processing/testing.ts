import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

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
    const output: { packets: Record<string, string | undefined>[] } = JSON.parse(stdout);
    return output.packets.map(({ pts_time: start, duration_time: length, pos, size }) => ({
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

/** Arguments of ffmpeg for a sine tone of 300 Hz. `volume` is a factor. */
export const createToneArgs = (seconds: number, volume = 1): string[] => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=300:sample_rate=44100:duration=${seconds},volume=${volume}`,
];

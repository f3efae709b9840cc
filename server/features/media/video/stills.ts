/** Posters, scrubber frames and animated previews (row C6). */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Bench } from './package.ts';
import type { Demuxer } from './tools.ts';
import { inputOf, LIMITS, runFfmpeg } from './tools.ts';

export type Film = { file: string; demuxer: Demuxer; seconds: number };

/** Returns undefined if there is no frame at that second. */
export async function frameAt(
  { tools, dir, signal }: Bench,
  film: Film,
  second: number,
  width = 3840,
): Promise<Buffer | undefined> {
  const args = ['-ss', second.toFixed(3), ...inputOf(film.demuxer, film.file), '-map', '0:V:0', '-frames:v', '1'];
  const across = `min(${width},trunc(iw*if(sar,sar,1)))`;
  const square = `scale='${across}':'trunc(ih*${across}/(iw*if(sar,sar,1)))',setsar=1`;
  const jpeg = ['-q:v', '2', '-f', 'image2pipe', '-c:v', 'mjpeg', 'pipe:1'];
  const limits = { ...LIMITS.glimpse, signal };
  const frame = await runFfmpeg(tools, { args: [...args, '-vf', square, ...jpeg], cwd: dir, limits });
  return frame.length > 0 ? frame : undefined;
}

/** Returns a second after a black beginning, but not far into the video. */
export function posterSecondOf(seconds: number): number {
  return Math.min(seconds * 0.1, 5);
}

export const SPRITE = { columns: 10, most: 100, width: 160, height: 160, everySeconds: 2 };
export type Sprite = { frameWidth: number; frameHeight: number; columns: number; count: number; interval: number };

/** Decodes key frames only. */
export async function makeSprite(
  bench: Bench,
  film: Film,
  size: { width: number; height: number },
): Promise<{ content: Buffer; sprite: Sprite } | undefined> {
  const { tools, dir, signal } = bench;
  if (film.seconds < SPRITE.everySeconds * 2) return undefined;
  const interval = Math.max(SPRITE.everySeconds, film.seconds / SPRITE.most);
  const count = Math.min(SPRITE.most, Math.ceil(film.seconds / interval));
  const scale = Math.min(SPRITE.width / size.width, SPRITE.height / size.height);
  const [frameWidth, frameHeight] = [size.width, size.height].map((side) =>
    Math.max(2, Math.round((side * scale) / 2) * 2),
  );
  if (!frameWidth || !frameHeight) return undefined;
  const rows = Math.ceil(count / SPRITE.columns);
  const filter = `fps=1/${interval.toFixed(4)}:start_time=0:round=near,scale=${frameWidth}:${frameHeight},setsar=1,tile=${SPRITE.columns}x${rows}`;
  const args = [
    '-skip_frame',
    'nokey',
    ...inputOf(film.demuxer, film.file),
    '-map',
    '0:V:0',
    '-vf',
    filter,
    '-frames:v',
    '1',
  ];
  await runFfmpeg(tools, {
    args: [...args, '-f', 'image2', '-c:v', 'mjpeg', '-q:v', '3', 'sprite.jpg'],
    cwd: dir,
    limits: { ...LIMITS.copy, niceness: 10, signal },
  });
  const jpeg = await readFile(`${dir}/sprite.jpg`).catch(() => undefined);
  if (!jpeg) return undefined;
  const content = await sharp(jpeg).webp({ quality: 60 }).toBuffer();
  return { content, sprite: { frameWidth, frameHeight, columns: SPRITE.columns, count, interval } };
}

/** The height is even. An extremely wide strip still gets two rows. */
const highAs = (width: string) => `'max(2,2*round(${width}*ih/iw/2))'`;

const GIF = { seconds: 3, fps: 10, width: 320, blurWidth: 24 };

/** The locked one is so blurred that only moving color remains. */
export async function makeGifs(bench: Bench, film: Film): Promise<{ open: Buffer; locked: Buffer }> {
  const { tools, dir, signal } = bench;
  const start = Math.max(0, Math.min(posterSecondOf(film.seconds), film.seconds - GIF.seconds));
  const make = async (look: string, name: string) => {
    const filter = `fps=${GIF.fps},${look},split[a][b];[a]palettegen=max_colors=128:stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4`;
    const input = ['-ss', start.toFixed(3), '-t', String(GIF.seconds), ...inputOf(film.demuxer, film.file)];
    await runFfmpeg(tools, {
      args: [...input, '-filter_complex', `[0:V:0]${filter}`, '-loop', '0', '-f', 'gif', name],
      cwd: dir,
      limits: { ...LIMITS.glimpse, niceness: 10, signal },
    });
    return readFile(`${dir}/${name}`);
  };
  const width = `min(${GIF.width},iw)`;
  const sized = `scale='${width}':${highAs(width)}:flags=area,setsar=1`;
  const blurred = `scale=${GIF.blurWidth}:${highAs(`${GIF.blurWidth}`)}:flags=area,gblur=sigma=1.2,scale=${GIF.width}:${highAs(`${GIF.width}`)}:flags=bicubic,gblur=sigma=6,setsar=1`;
  return { open: await make(sized, 'open.gif'), locked: await make(blurred, 'locked.gif') };
}

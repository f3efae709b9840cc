/** Posters, scrubber frames and animated previews (row C6). */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Demuxer, ToolWorkspace } from './tools.ts';
import { runFfmpeg, TOOL_LIMITS, toInputArgs } from './tools.ts';

export type VideoFile = { file: string; demuxer: Demuxer; seconds: number };

/** Returns undefined if there is no frame at that second. */
export async function extractFrame(
  { tools, dir, signal }: ToolWorkspace,
  videoFile: VideoFile,
  second: number,
  width = 3840,
): Promise<Buffer | undefined> {
  const args = [
    '-ss',
    second.toFixed(3),
    ...toInputArgs(videoFile.demuxer, videoFile.file),
    '-map',
    '0:V:0',
    '-frames:v',
    '1',
  ];
  const displayWidth = `min(${width},trunc(iw*if(sar,sar,1)))`;
  const square = `scale='${displayWidth}':'trunc(ih*${displayWidth}/(iw*if(sar,sar,1)))',setsar=1`;
  const jpeg = ['-q:v', '2', '-f', 'image2pipe', '-c:v', 'mjpeg', 'pipe:1'];
  const limits = { ...TOOL_LIMITS.glimpse, signal };
  const frame = await runFfmpeg(tools, { args: [...args, '-vf', square, ...jpeg], cwd: dir, limits });
  return frame.length > 0 ? frame : undefined;
}

/** Returns a second after a black beginning, but not far into the video. */
export function getPosterSecond(seconds: number): number {
  return Math.min(seconds * 0.1, 5);
}

export const SPRITE_LAYOUT = { columns: 10, max: 100, width: 160, height: 160, everySeconds: 2 };
export type Sprite = { frameWidth: number; frameHeight: number; columns: number; count: number; interval: number };

/** Decodes key frames only. */
export async function createSprite(
  workspace: ToolWorkspace,
  videoFile: VideoFile,
  size: { width: number; height: number },
): Promise<{ content: Buffer; sprite: Sprite } | undefined> {
  const { tools, dir, signal } = workspace;
  if (videoFile.seconds < SPRITE_LAYOUT.everySeconds * 2) return undefined;
  const interval = Math.max(SPRITE_LAYOUT.everySeconds, videoFile.seconds / SPRITE_LAYOUT.max);
  const count = Math.min(SPRITE_LAYOUT.max, Math.ceil(videoFile.seconds / interval));
  const scale = Math.min(SPRITE_LAYOUT.width / size.width, SPRITE_LAYOUT.height / size.height);
  const [frameWidth, frameHeight] = [size.width, size.height].map((side) =>
    Math.max(2, Math.round((side * scale) / 2) * 2),
  );
  if (!frameWidth || !frameHeight) return undefined;
  const rows = Math.ceil(count / SPRITE_LAYOUT.columns);
  const filter = `fps=1/${interval.toFixed(4)}:start_time=0:round=near,scale=${frameWidth}:${frameHeight},setsar=1,tile=${SPRITE_LAYOUT.columns}x${rows}`;
  const args = [
    '-skip_frame',
    'nokey',
    ...toInputArgs(videoFile.demuxer, videoFile.file),
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
    limits: { ...TOOL_LIMITS.copy, niceness: 10, signal },
  });
  const jpeg = await readFile(`${dir}/sprite.jpg`).catch(() => undefined);
  if (!jpeg) return undefined;
  const content = await sharp(jpeg).webp({ quality: 60 }).toBuffer();
  return { content, sprite: { frameWidth, frameHeight, columns: SPRITE_LAYOUT.columns, count, interval } };
}

/** The height is even. An extremely wide strip still gets two rows. */
const toEvenHeight = (width: string) => `'max(2,2*round(${width}*ih/iw/2))'`;

const GIF_OPTIONS = { seconds: 3, fps: 10, width: 320, blurWidth: 24 };

/** The locked one is so blurred that only moving color remains. */
export async function createGifs(
  workspace: ToolWorkspace,
  videoFile: VideoFile,
): Promise<{ open: Buffer; locked: Buffer }> {
  const { tools, dir, signal } = workspace;
  const start = Math.max(0, Math.min(getPosterSecond(videoFile.seconds), videoFile.seconds - GIF_OPTIONS.seconds));
  const createGif = async (scaleFilter: string, name: string) => {
    const filter = `fps=${GIF_OPTIONS.fps},${scaleFilter},split[a][b];[a]palettegen=max_colors=128:stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4`;
    const input = [
      '-ss',
      start.toFixed(3),
      '-t',
      String(GIF_OPTIONS.seconds),
      ...toInputArgs(videoFile.demuxer, videoFile.file),
    ];
    await runFfmpeg(tools, {
      args: [...input, '-filter_complex', `[0:V:0]${filter}`, '-loop', '0', '-f', 'gif', name],
      cwd: dir,
      limits: { ...TOOL_LIMITS.glimpse, niceness: 10, signal },
    });
    return readFile(`${dir}/${name}`);
  };
  const width = `min(${GIF_OPTIONS.width},iw)`;
  const sizedFilter = `scale='${width}':${toEvenHeight(width)}:flags=area,setsar=1`;
  const blurredFilter = `scale=${GIF_OPTIONS.blurWidth}:${toEvenHeight(`${GIF_OPTIONS.blurWidth}`)}:flags=area,gblur=sigma=1.2,scale=${GIF_OPTIONS.width}:${toEvenHeight(`${GIF_OPTIONS.width}`)}:flags=bicubic,gblur=sigma=6,setsar=1`;
  return { open: await createGif(sizedFilter, 'open.gif'), locked: await createGif(blurredFilter, 'locked.gif') };
}

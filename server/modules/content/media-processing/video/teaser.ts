/** Cuts a teaser for viewers who have not paid. */
import { AAC_ARGS, STRIP_METADATA } from './package.ts';
import { type Demuxer, runFfmpeg, TOOL_LIMITS, type ToolWorkspace, toInputArgs } from './tools.ts';

const VIDEO_ARGS = [
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-crf',
  '23',
  '-maxrate',
  '2500k',
  '-bufsize',
  '4000k',
  '-g',
  '120',
];
const MAX_SIDE = 720;

/** `from` is in seconds. */
export type TeaserSource = { file: string; demuxer: Demuxer; from: number };

/** Writes the file `name` into the folder of the workspace. */
export async function cutTeaser(
  { tools, dir, signal }: ToolWorkspace,
  teaserSource: TeaserSource,
  seconds: number,
  isVideo: boolean,
  name: string,
): Promise<void> {
  const input = [
    '-ss',
    Math.max(0, teaserSource.from).toFixed(3),
    '-t',
    seconds.toFixed(3),
    ...toInputArgs(teaserSource.demuxer, teaserSource.file),
  ];
  const scale = `scale='if(lt(iw,ih),min(${MAX_SIDE},iw),-2)':'if(lt(iw,ih),-2,min(${MAX_SIDE},ih))',setsar=1,format=yuv420p`;
  const video = ['-map', '0:V:0', '-map', '0:a:0?', '-vf', scale, ...VIDEO_ARGS];
  const streamArgs = isVideo ? video : ['-map', '0:a:0', '-vn'];
  await runFfmpeg(tools, {
    args: [...input, ...streamArgs, ...STRIP_METADATA, ...AAC_ARGS, '-movflags', '+faststart', '-f', 'mp4', name],
    cwd: dir,
    limits: { ...TOOL_LIMITS.glimpse, timeoutMs: 20 * 60_000, signal },
  });
}

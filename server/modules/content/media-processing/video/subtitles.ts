import type { Demuxer, ToolWorkspace } from './tools.ts';
import { runFfmpeg, TOOL_LIMITS, ToolError, toSubtitleInputArgs } from './tools.ts';

/** Returns embedded subtitles as WebVTT, or undefined if they cannot be read. The content is not cleaned yet. */
export async function extractSubtitles(
  { tools, dir, signal }: ToolWorkspace,
  { file, demuxer }: { file: string; demuxer: Demuxer },
  index: number,
): Promise<Buffer | undefined> {
  const args = [
    ...toSubtitleInputArgs(demuxer, file),
    '-map',
    `0:${index}`,
    '-c:s',
    'webvtt',
    '-f',
    'webvtt',
    'pipe:1',
  ];
  try {
    return await runFfmpeg(tools, { args, cwd: dir, limits: { ...TOOL_LIMITS.glimpse, signal } });
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

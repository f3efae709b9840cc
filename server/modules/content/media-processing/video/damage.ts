/** Detects damage by the messages of ffmpeg and by spot checks. */
import type { ProbedSource } from './inspect.ts';
import {
  runFfmpeg,
  runTool,
  TOOL_LIMITS,
  ToolError,
  type ToolWorkspace,
  toInputArgs,
  toProbeInputArgs,
} from './tools.ts';

/**
 * Missing references are not included, because decoding from the middle of an open group of pictures reports them for
 * intact videos too.
 */
const DAMAGE_PATTERN =
  /Invalid NAL unit size|missing picture in access unit|non-existing [PS]PS|[sp]ps_id \d+ out of range|[VSP]PS id out of range|decode_slice_header error|error while decoding|Error submitting packet|partial file|ended prematurely|invalid as first byte|corrupt/i;

/** Changed bytes that still decode are not detected. */
export class DamageDetector {
  readonly #frame: RegExp;
  #isDetected = false;
  #frames = 0;

  constructor(index?: number) {
    const stream =
      index === undefined ? '' : `|Error while decoding stream #0:${index}\\b|^\\[vist#0:${index}.*Error submitting`;
    this.#frame = new RegExp(`error while decoding MB${stream}`);
  }

  readonly addLine = (line: string): void => {
    if (DAMAGE_PATTERN.test(line)) this.#isDetected = true;
    if (this.#frame.test(line)) this.#frames += 1;
  };

  get isDetected(): boolean {
    return this.#isDetected;
  }

  get frames(): number {
    return this.#frames;
  }
}

/** Few enough that the check can run during packaging. */
const SPOT_CHECK = { positions: 6, packets: 4, endSeconds: 0.5 };

/** Spot checks a few frames across the video. */
export async function spotCheck(
  { tools, dir, signal }: ToolWorkspace,
  file: string,
  { demuxer, startSeconds, seconds }: Pick<ProbedSource, 'demuxer' | 'startSeconds' | 'seconds'>,
): Promise<{ isDamaged: boolean; isInterlaced: boolean }> {
  const damage = new DamageDetector();
  const samplePoints = Array.from({ length: SPOT_CHECK.positions }, (_, at) => (seconds * at) / SPOT_CHECK.positions);
  const positions = [...samplePoints, Math.max(0, seconds - SPOT_CHECK.endSeconds)].map(
    (second) => startSeconds + second,
  );
  const intervals = positions.map((second) => `${Math.max(0, second).toFixed(3)}%+#${SPOT_CHECK.packets}`);
  const entryArgs = ['-v', 'repeat+error', '-select_streams', 'V:0', '-show_entries', 'frame=interlaced_frame'];
  const args = [
    ...entryArgs,
    '-of',
    'compact=p=0:nk=1',
    '-read_intervals',
    intervals.join(','),
    ...toProbeInputArgs(demuxer, file),
  ];
  try {
    const limits = { ...TOOL_LIMITS.glimpse, signal };
    const frames = (await runTool(tools, 'ffprobe', { args, cwd: dir, limits, onLine: damage.addLine })).toString();
    return { isDamaged: damage.isDetected || !/\d/.test(frames), isInterlaced: /^1/m.test(frames) };
  } catch (error) {
    if (error instanceof ToolError) return { isDamaged: true, isInterlaced: false };
    throw error;
  }
}

export async function isDamaged(
  { tools, dir, signal }: ToolWorkspace,
  file: string,
  source: ProbedSource,
): Promise<boolean> {
  const damage = new DamageDetector();
  const maps = ['-map', '0:V:0', ...(source.audio ? ['-map', '0:a:0'] : [])];
  try {
    await runFfmpeg(tools, {
      args: [...toInputArgs(source.demuxer, file), ...maps, '-f', 'null', '-'],
      cwd: dir,
      limits: { ...TOOL_LIMITS.encode, signal },
      onLine: damage.addLine,
    });
    return damage.isDetected;
  } catch (error) {
    if (error instanceof ToolError) return true;
    throw error;
  }
}

/** Detects damage by the messages of ffmpeg and by spot checks. */
import type { Source } from './inspect.ts';
import type { Bench } from './package.ts';
import { inputOf, LIMITS, probedInputOf, runFfmpeg, runTool, ToolError } from './tools.ts';

/**
 * Missing references are not included, because decoding from the middle of an open group of pictures reports them for
 * intact videos too.
 */
const BROKEN =
  /Invalid NAL unit size|missing picture in access unit|non-existing [PS]PS|[sp]ps_id \d+ out of range|[VSP]PS id out of range|decode_slice_header error|error while decoding|Error submitting packet|partial file|ended prematurely|invalid as first byte|corrupt/i;

/** Changed bytes that still decode are not detected. */
export class Damage {
  readonly #frame: RegExp;
  #isThere = false;
  #frames = 0;

  constructor(index?: number) {
    const stream =
      index === undefined ? '' : `|Error while decoding stream #0:${index}\\b|^\\[vist#0:${index}.*Error submitting`;
    this.#frame = new RegExp(`error while decoding MB${stream}`);
  }

  readonly hear = (line: string): void => {
    if (BROKEN.test(line)) this.#isThere = true;
    if (this.#frame.test(line)) this.#frames += 1;
  };

  get isThere(): boolean {
    return this.#isThere;
  }

  get frames(): number {
    return this.#frames;
  }
}

/** Limited to what fits beside packaging. */
const GLANCE = { places: 6, packets: 4, endSeconds: 0.5 };

/** Spot checks a few frames across the video. */
export async function glanceAt(
  { tools, dir, signal }: Bench,
  file: string,
  { demuxer, startSeconds, seconds }: Pick<Source, 'demuxer' | 'startSeconds' | 'seconds'>,
): Promise<{ isDamaged: boolean; isInterlaced: boolean }> {
  const damage = new Damage();
  const steps = Array.from({ length: GLANCE.places }, (_, at) => (seconds * at) / GLANCE.places);
  const places = [...steps, Math.max(0, seconds - GLANCE.endSeconds)].map((second) => startSeconds + second);
  const intervals = places.map((second) => `${Math.max(0, second).toFixed(3)}%+#${GLANCE.packets}`);
  const what = ['-v', 'repeat+error', '-select_streams', 'V:0', '-show_entries', 'frame=interlaced_frame'];
  const args = [
    ...what,
    '-of',
    'compact=p=0:nk=1',
    '-read_intervals',
    intervals.join(','),
    ...probedInputOf(demuxer, file),
  ];
  try {
    const limits = { ...LIMITS.glimpse, signal };
    const frames = (await runTool(tools, 'ffprobe', { args, cwd: dir, limits, onLine: damage.hear })).toString();
    return { isDamaged: damage.isThere || !/\d/.test(frames), isInterlaced: /^1/m.test(frames) };
  } catch (error) {
    if (error instanceof ToolError) return { isDamaged: true, isInterlaced: false };
    throw error;
  }
}

export async function isDamaged({ tools, dir, signal }: Bench, file: string, source: Source): Promise<boolean> {
  const damage = new Damage();
  const maps = ['-map', '0:V:0', ...(source.audio ? ['-map', '0:a:0'] : [])];
  try {
    await runFfmpeg(tools, {
      args: [...inputOf(source.demuxer, file), ...maps, '-f', 'null', '-'],
      cwd: dir,
      limits: { ...LIMITS.encode, signal },
      onLine: damage.hear,
    });
    return damage.isThere;
  } catch (error) {
    if (error instanceof ToolError) return true;
    throw error;
  }
}

/** Whether a film can be decoded: what ffmpeg says of damage on its way through, and a glance at a few places of it. */
import type { Source } from './inspect.ts';
import type { Bench } from './package.ts';
import { inputOf, LIMITS, probedInputOf, runFfmpeg, runTool, ToolError } from './tools.ts';

/**
 * What demuxers, parsers and decoders say of broken bytes. Missing references are not among it: whoever begins in the middle
 * of an open group of pictures hears of those in healthy films, too.
 */
const BROKEN =
  /Invalid NAL unit size|missing picture in access unit|non-existing [PS]PS|[sp]ps_id \d+ out of range|[VSP]PS id out of range|decode_slice_header error|error while decoding|Error submitting packet|partial file|ended prematurely|invalid as first byte|corrupt/i;

/** Listens to ffmpeg for damage. Bytes that came out different and still decode are not heard of, here or in any player. */
export class Damage {
  readonly #frame: RegExp;
  #isThere = false;
  #frames = 0;

  /** `index` is that of the picture's stream, for counting its frames. */
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

  /** So many frames came out broken, or not at all. */
  get frames(): number {
    return this.#frames;
  }
}

/** So many places are glanced at, and the last key frame, and so many packets decoded at each: as much as fits beside packaging. */
const GLANCE = { places: 6, packets: 4, endSeconds: 0.5 };

/** Decodes a few frames at places all over a film. Whether anything is broken there, and whether frames are of two fields. */
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

/** Decodes a film to its end and answers whether anything of it is broken. */
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

import { VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import * as z from 'zod/mini';
import { MediaError, SENTENCES } from '../sentences.ts';
import { type Place, spanOf } from './span.ts';
import { type Demuxer, LIMITS, probedInputOf, runTool, ToolError, type Tools } from './tools.ts';

const DEMUXER_OF: ReadonlyMap<string, Demuxer> = new Map([
  ['video/mp4', 'mov'],
  ['video/quicktime', 'mov'],
  ['video/x-m4v', 'mov'],
  ['video/3gpp', 'mov'],
  ['video/3gpp2', 'mov'],
  ['audio/mp4', 'mov'],
  ['audio/x-m4a', 'mov'],
  ['video/webm', 'matroska'],
  ['audio/webm', 'matroska'],
  ['video/matroska', 'matroska'],
  ['video/x-matroska', 'matroska'],
  ['audio/matroska', 'matroska'],
  ['video/ogg', 'ogg'],
  ['audio/ogg', 'ogg'],
  ['audio/ogg; codecs=opus', 'ogg'],
  ['application/ogg', 'ogg'],
  ['audio/mpeg', 'mp3'],
  ['audio/aac', 'aac'],
  ['audio/wav', 'wav'],
  ['audio/flac', 'flac'],
  ['audio/x-flac', 'flac'],
  ['video/vnd.avi', 'avi'],
]);

export function demuxerOf(contentType: string): Demuxer | undefined {
  return DEMUXER_OF.get(contentType);
}

const rational = z.optional(z.string());
const probedStream = z.object({
  index: z.number(),
  codec_type: z.optional(z.string()),
  codec_name: z.optional(z.string()),
  profile: z.optional(z.string()),
  pix_fmt: z.optional(z.string()),
  field_order: z.optional(z.string()),
  color_transfer: z.optional(z.string()),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  sample_aspect_ratio: z.optional(z.string()),
  avg_frame_rate: rational,
  r_frame_rate: rational,
  bit_rate: z.optional(z.string()),
  channels: z.optional(z.number()),
  start_time: z.optional(z.string()),
  duration: z.optional(z.string()),
  tags: z.optional(z.record(z.string(), z.string())),
  disposition: z.optional(z.object({ attached_pic: z.optional(z.number()) })),
  side_data_list: z.optional(z.array(z.object({ rotation: z.optional(z.number()) }))),
});
const probed = z.object({
  streams: z.array(probedStream),
  format: z.object({ duration: z.optional(z.string()), bit_rate: z.optional(z.string()) }),
});
type ProbedStream = z.infer<typeof probedStream>;

export const source = z.object({
  demuxer: z.enum(['mov', 'matroska', 'ogg', 'mp3', 'aac', 'wav', 'flac', 'avi']),
  /** Start on the file's own clock. It need not be 0. */
  startSeconds: z.number(),
  /** From start to end. 0 if unknown until the file was read through. */
  seconds: z.number(),
  bitRate: z.number(),
  video: z.nullable(
    z.object({
      index: z.number(),
      /** Size when upright, with square pixels. */
      width: z.number(),
      height: z.number(),
      /** True if the coded picture is rotated. */
      isTurned: z.boolean(),
      frameRate: z.number(),
      /** True for H.264 that every browser plays and that covers the whole duration. */
      isPlayable: z.boolean(),
      isHdr: z.boolean(),
      isInterlaced: z.boolean(),
      /** Seconds of sound after its last frame, which is held that long. */
      heldSeconds: z.number(),
    }),
  ),
  audio: z.nullable(
    z.object({
      /** True for AAC that covers the whole duration. */
      isPlayable: z.boolean(),
      channels: z.number(),
      /** Seconds of picture after its end. */
      silentSeconds: z.number(),
    }),
  ),
  cover: z.nullable(z.number()),
});
export type Source = z.infer<typeof source>;

function ratio(text: string | undefined): number {
  const [over = 0, under = 0] = (text ?? '').split(/[/:]/).map(Number);
  return under > 0 && over > 0 ? over / under : 0;
}

const PROGRESSIVE = ['vp8', 'vp9', 'av1', 'theora', 'png'];

function isInterlaced({ codec_name: codec = '', field_order: order }: ProbedStream): boolean {
  return order !== 'progressive' && !PROGRESSIVE.includes(codec);
}

function videoOf(stream: ProbedStream, { isPunctual, lackSeconds }: Place): NonNullable<Source['video']> {
  const { width = 0, height = 0 } = stream;
  if (width < 2 || height < 2) throw new MediaError(SENTENCES.damagedVideo);
  if (width * height > VIDEO.maxPixels) throw new MediaError(SENTENCES.frame);
  const rotation = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const isSideways = Math.abs(rotation) % 180 === 90;
  const aspect = ratio(stream.sample_aspect_ratio) || 1;
  const shown = aspect >= 1 ? [Math.round(width * aspect), height] : [width, Math.round(height / aspect)];
  const [across = width, down = height] = isSideways ? shown.toReversed() : shown;
  const isHdr = stream.color_transfer === 'smpte2084' || stream.color_transfer === 'arib-std-b67';
  const isPlayable =
    isPunctual &&
    lackSeconds === 0 &&
    !isHdr &&
    stream.codec_name === 'h264' &&
    (stream.pix_fmt === 'yuv420p' || stream.pix_fmt === 'yuvj420p') &&
    ['progressive', 'unknown', undefined].includes(stream.field_order) &&
    width % 2 === 0 &&
    height % 2 === 0 &&
    aspect > 0.99 &&
    aspect < 1.01;
  return {
    index: stream.index,
    width: across,
    height: down,
    isTurned: rotation !== 0,
    frameRate: ratio(stream.avg_frame_rate) || ratio(stream.r_frame_rate) || 30,
    isPlayable,
    isHdr,
    isInterlaced: isInterlaced(stream),
    heldSeconds: lackSeconds,
  };
}

function audioOf(stream: ProbedStream, { isPunctual, lackSeconds }: Place): NonNullable<Source['audio']> {
  const isPlayable = stream.codec_name === 'aac' && isPunctual && lackSeconds === 0;
  return { isPlayable, channels: stream.channels ?? 2, silentSeconds: lackSeconds };
}

/** Throws MediaError. */
function understand(demuxer: Demuxer, { streams, format }: z.infer<typeof probed>): Source {
  const isCover = (stream: ProbedStream) => stream.disposition?.attached_pic === 1;
  const moving = streams.find((stream) => stream.codec_type === 'video' && !isCover(stream));
  const sound = streams.find((stream) => stream.codec_type === 'audio');
  if (!moving && !sound) throw new MediaError(SENTENCES.codec);
  if ((moving && !moving.codec_name) || (!moving && !sound?.codec_name)) throw new MediaError(SENTENCES.codec);
  const used = [moving, sound].filter((stream) => stream !== undefined);
  const { startSeconds, seconds, placeOf } = spanOf(demuxer, used, format.duration);
  if (seconds > VIDEO.maxSeconds) throw new MediaError(SENTENCES.long);
  return {
    demuxer,
    startSeconds,
    seconds,
    bitRate: Number(format.bit_rate ?? 0) || 0,
    video: moving ? videoOf(moving, placeOf(moving)) : null,
    audio: sound?.codec_name ? audioOf(sound, placeOf(sound)) : null,
    cover: streams.find(isCover)?.index ?? null,
  };
}

/** Throws MediaError for a file that is broken, too long, too large or in an unknown coding. */
export async function inspect(
  tools: Tools,
  cwd: string,
  file: string,
  demuxer: Demuxer,
  signal?: AbortSignal,
): Promise<Source> {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...probedInputOf(demuxer, file)];
  const isAudio = ['mp3', 'aac', 'wav', 'flac'].includes(demuxer);
  try {
    const answer = await runTool(tools, 'ffprobe', { args, cwd, limits: { ...LIMITS.probe, signal } });
    const parsed = z.safeParse(probed, JSON.parse(answer.toString()));
    if (!parsed.success) throw new MediaError(isAudio ? SENTENCES.damagedAudio : SENTENCES.damagedVideo);
    return understand(demuxer, parsed.data);
  } catch (error) {
    if (error instanceof ToolError && error.said.includes('not on whitelist'))
      throw new MediaError(SENTENCES.codec, { cause: error });
    if (error instanceof ToolError)
      throw new MediaError(isAudio ? SENTENCES.damagedAudio : SENTENCES.damagedVideo, { cause: error });
    throw error;
  }
}

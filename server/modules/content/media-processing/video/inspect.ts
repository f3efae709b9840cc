import { VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import * as z from 'zod/mini';
import { MEDIA_MESSAGES, MediaError } from '../error-messages.ts';
import { getTimeRange, type StreamTiming } from './time-range.ts';
import { type Demuxer, type MediaTools, runTool, TOOL_LIMITS, ToolError, toProbeInputArgs } from './tools.ts';

const DEMUXERS_BY_TYPE: ReadonlyMap<string, Demuxer> = new Map([
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

export function findDemuxer(contentType: string): Demuxer | undefined {
  return DEMUXERS_BY_TYPE.get(contentType);
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
const probeOutput = z.object({
  streams: z.array(probedStream),
  format: z.object({ duration: z.optional(z.string()), bit_rate: z.optional(z.string()) }),
});
type ProbedStream = z.infer<typeof probedStream>;

export const subtitleTrack = z.object({
  index: z.number(),
  /** BCP 47, `und` if unknown. */
  language: z.string(),
  title: z.string(),
});
export type SubtitleTrack = z.infer<typeof subtitleTrack>;

export const probedSource = z.object({
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
      isRotated: z.boolean(),
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
  /** Embedded subtitles of text, the first of each language, which become captions. */
  subtitles: z.optional(z.array(subtitleTrack)),
  /** How many tracks of embedded subtitles cannot become captions. */
  leftOutSubtitles: z.optional(z.number()),
});
export type ProbedSource = z.infer<typeof probedSource>;
export type VideoSource = ProbedSource & { video: NonNullable<ProbedSource['video']> };

export function hasVideo(source: ProbedSource): source is VideoSource {
  return source.video !== null;
}

function parseRatio(text: string | undefined): number {
  const [numerator = 0, denominator = 0] = (text ?? '').split(/[/:]/).map(Number);
  return denominator > 0 && numerator > 0 ? numerator / denominator : 0;
}

const PROGRESSIVE_CODECS = ['vp8', 'vp9', 'av1', 'theora', 'png'];

function isInterlaced({ codec_name: codec = '', field_order: order }: ProbedStream): boolean {
  return order !== 'progressive' && !PROGRESSIVE_CODECS.includes(codec);
}

function toVideoStream(
  stream: ProbedStream,
  { isOnTime, missingSeconds }: StreamTiming,
): NonNullable<ProbedSource['video']> {
  const { width = 0, height = 0 } = stream;
  if (width < 2 || height < 2) throw new MediaError(MEDIA_MESSAGES.damagedVideo);
  if (width * height > VIDEO_LIMITS.maxPixels || Math.max(width, height) > VIDEO_LIMITS.maxSidePixels)
    throw new MediaError(MEDIA_MESSAGES.frameTooLarge);
  const rotation = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const isSideways = Math.abs(rotation) % 180 === 90;
  const aspect = parseRatio(stream.sample_aspect_ratio) || 1;
  const displaySize = aspect >= 1 ? [Math.round(width * aspect), height] : [width, Math.round(height / aspect)];
  const [displayWidth = width, displayHeight = height] = isSideways ? displaySize.toReversed() : displaySize;
  const isHdr = stream.color_transfer === 'smpte2084' || stream.color_transfer === 'arib-std-b67';
  const isPlayable =
    isOnTime &&
    missingSeconds === 0 &&
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
    width: displayWidth,
    height: displayHeight,
    isRotated: rotation !== 0,
    frameRate: parseRatio(stream.avg_frame_rate) || parseRatio(stream.r_frame_rate) || 30,
    isPlayable,
    isHdr,
    isInterlaced: isInterlaced(stream),
    heldSeconds: missingSeconds,
  };
}

function toAudioStream(
  stream: ProbedStream,
  { isOnTime, missingSeconds }: StreamTiming,
): NonNullable<ProbedSource['audio']> {
  const isPlayable = stream.codec_name === 'aac' && isOnTime && missingSeconds === 0;
  return { isPlayable, channels: stream.channels ?? 2, silentSeconds: missingSeconds };
}

const TEXT_SUBTITLES = ['mov_text', 'subrip', 'ass', 'ssa', 'webvtt', 'text'];

function toLanguageTag(language: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(language ?? 'und')[0] ?? 'und';
  } catch {
    return 'und';
  }
}

function toSubtitles(streams: readonly ProbedStream[]): Pick<ProbedSource, 'subtitles' | 'leftOutSubtitles'> {
  const all = streams.filter((stream) => stream.codec_type === 'subtitle');
  const byLanguage = new Map<string, SubtitleTrack>();
  for (const { index, codec_name: codec = '', tags } of all) {
    const language = toLanguageTag(tags?.language);
    if (TEXT_SUBTITLES.includes(codec) && !byLanguage.has(language))
      byLanguage.set(language, { index, language, title: tags?.title ?? '' });
  }
  return all.length === 0
    ? {}
    : { subtitles: [...byLanguage.values()], leftOutSubtitles: all.length - byLanguage.size };
}

/** Throws MediaError. */
function toProbedSource(demuxer: Demuxer, { streams, format }: z.infer<typeof probeOutput>): ProbedSource {
  const isCover = (stream: ProbedStream) => stream.disposition?.attached_pic === 1;
  const videoStream = streams.find((stream) => stream.codec_type === 'video' && !isCover(stream));
  const audioStream = streams.find((stream) => stream.codec_type === 'audio');
  if (!videoStream && !audioStream) throw new MediaError(MEDIA_MESSAGES.unsupportedCodec);
  if ((videoStream && !videoStream.codec_name) || (!videoStream && !audioStream?.codec_name))
    throw new MediaError(MEDIA_MESSAGES.unsupportedCodec);
  const usedStreams = [videoStream, audioStream].filter((stream) => stream !== undefined);
  const { startSeconds, seconds, getTiming } = getTimeRange(demuxer, usedStreams, format.duration);
  if (seconds > VIDEO_LIMITS.maxSeconds) throw new MediaError(MEDIA_MESSAGES.tooLong);
  return {
    demuxer,
    startSeconds,
    seconds,
    bitRate: Number(format.bit_rate ?? 0) || 0,
    video: videoStream ? toVideoStream(videoStream, getTiming(videoStream)) : null,
    audio: audioStream?.codec_name ? toAudioStream(audioStream, getTiming(audioStream)) : null,
    cover: streams.find(isCover)?.index ?? null,
    ...toSubtitles(streams),
  };
}

/** Throws MediaError for a file that is broken, too long, too large or in an unknown coding. */
export async function inspectSource(
  tools: MediaTools,
  cwd: string,
  file: string,
  demuxer: Demuxer,
  signal?: AbortSignal,
): Promise<ProbedSource> {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...toProbeInputArgs(demuxer, file)];
  const isAudio = ['mp3', 'aac', 'wav', 'flac'].includes(demuxer);
  try {
    const output = await runTool(tools, 'ffprobe', { args, cwd, limits: { ...TOOL_LIMITS.probe, signal } });
    const parsed = z.safeParse(probeOutput, JSON.parse(output.toString()));
    if (!parsed.success) throw new MediaError(isAudio ? MEDIA_MESSAGES.damagedAudio : MEDIA_MESSAGES.damagedVideo);
    return toProbedSource(demuxer, parsed.data);
  } catch (error) {
    if (error instanceof ToolError && error.stderr.includes('not on whitelist'))
      throw new MediaError(MEDIA_MESSAGES.unsupportedCodec, { cause: error });
    if (error instanceof ToolError)
      throw new MediaError(isAudio ? MEDIA_MESSAGES.damagedAudio : MEDIA_MESSAGES.damagedVideo, { cause: error });
    throw error;
  }
}

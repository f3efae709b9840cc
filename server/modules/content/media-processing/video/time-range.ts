/**
 * A file's clock may start anywhere, and picture and sound may start or end at different times. None of that is damage.
 */
import type { Demuxer } from './tools.ts';

export type ProbedTiming = {
  start_time?: string | undefined;
  duration?: string | undefined;
  tags?: Record<string, string> | undefined;
};

export type StreamTiming = {
  /** True if it starts with the video. Players treat more than {@link MAX_DELAY} as a gap and skip it. */
  isOnTime: boolean;
  /** Seconds by which it ends before the video. 0 if less than {@link MIN_GAP} or unknown. */
  missingSeconds: number;
};
export type TimeRange = {
  /** Start of the video on the file's own clock. */
  startSeconds: number;
  /** Duration from there to its end. 0 if unknown. */
  seconds: number;
  getTiming: (stream: ProbedTiming) => StreamTiming;
};

/** In seconds. */
const MAX_DELAY = 0.1;
const MIN_GAP = 0.5;

const parseSeconds = (text: string | undefined) => Number(text ?? 0) || 0;

/** Some writers of Matroska store the length in this tag, some the end. */
function parseTaggedEnd(tags: ProbedTiming['tags'], start: number, fileEnd: number): number | undefined {
  const text = Object.entries(tags ?? {}).find(([name]) => name.startsWith('DURATION'))?.[1] ?? '';
  const match = /^(\d+):(\d+):([\d.]+)$/.exec(text);
  if (!match) return undefined;
  const declared = Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
  return start + declared <= fileEnd + MAX_DELAY ? start + declared : declared;
}

function findStreamEnd(demuxer: Demuxer, stream: ProbedTiming, fileEnd: number): number | undefined {
  const start = parseSeconds(stream.start_time);
  if (demuxer === 'matroska') return parseTaggedEnd(stream.tags, start, fileEnd);
  return parseSeconds(stream.duration) > 0 ? start + parseSeconds(stream.duration) : undefined;
}

export function getTimeRange(
  demuxer: Demuxer,
  streams: readonly ProbedTiming[],
  duration: string | undefined,
): TimeRange {
  const declared = parseSeconds(duration);
  const startSeconds = Math.min(...streams.map((stream) => parseSeconds(stream.start_time)));
  // Data before 0 is only needed by decoders and is not played.
  const start = Math.max(0, startSeconds);
  const ends = streams.map((stream) => findStreamEnd(demuxer, stream, declared));
  const knownEnds = ends.filter((end) => end !== undefined);
  const areEndsKnown = demuxer !== 'matroska' && knownEnds.length === streams.length;
  // Matroska stores when it ends, all others how long they are.
  const videoEnd = areEndsKnown ? Math.max(...knownEnds) : demuxer === 'matroska' ? declared : start + declared;
  return {
    startSeconds,
    seconds: Math.max(0, videoEnd - start),
    getTiming: (stream) => {
      const missing = videoEnd - (findStreamEnd(demuxer, stream, declared) ?? videoEnd);
      return {
        isOnTime: parseSeconds(stream.start_time) - startSeconds <= MAX_DELAY,
        missingSeconds: missing > MIN_GAP ? missing : 0,
      };
    },
  };
}

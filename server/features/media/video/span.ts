/**
 * When the picture and the sound of a film begin and end. A file's clock may begin anywhere, one of the two may begin or
 * end long before the other, and none of that is damage.
 */
import type { Demuxer } from './tools.ts';

/** What ffprobe says of a stream. */
export type Timed = {
  start_time?: string | undefined;
  duration?: string | undefined;
  tags?: Record<string, string> | undefined;
};

/** How a stream lies in its film. */
export type Place = {
  /** It begins with the film: players take more than {@link LATE} for a gap, and skip it. */
  isPunctual: boolean;
  /** So many seconds before the film it ends; 0 for less than {@link SHORT}, or where it is not known. */
  lackSeconds: number;
};
export type Span = {
  /** Where on the file's own clock the film begins. */
  startSeconds: number;
  /** From there to its end; 0 where it is not known. */
  seconds: number;
  placeOf: (stream: Timed) => Place;
};

/** Seconds. */
const LATE = 0.1;
const SHORT = 0.5;

const secondsOf = (text: string | undefined) => Number(text ?? 0) || 0;

/** Matroska knows the durations of streams by their tags only; some write the length there, and some the end. */
function taggedEnd(tags: Timed['tags'], start: number, fileEnd: number): number | undefined {
  const text = Object.entries(tags ?? {}).find(([name]) => name.startsWith('DURATION'))?.[1] ?? '';
  const match = /^(\d+):(\d+):([\d.]+)$/.exec(text);
  if (!match) return undefined;
  const said = Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
  return start + said <= fileEnd + LATE ? start + said : said;
}

function endOf(demuxer: Demuxer, stream: Timed, fileEnd: number): number | undefined {
  const start = secondsOf(stream.start_time);
  if (demuxer === 'matroska') return taggedEnd(stream.tags, start, fileEnd);
  return secondsOf(stream.duration) > 0 ? start + secondsOf(stream.duration) : undefined;
}

/** The span of those streams together. `duration` is what the file says of itself. */
export function spanOf(demuxer: Demuxer, streams: readonly Timed[], duration: string | undefined): Span {
  const said = secondsOf(duration);
  const startSeconds = Math.min(...streams.map((stream) => secondsOf(stream.start_time)));
  // What lies before 0 is what decoders need to begin with, and is not played.
  const begin = Math.max(0, startSeconds);
  const ends = streams.map((stream) => endOf(demuxer, stream, said));
  const known = ends.filter((end) => end !== undefined);
  const isKnown = demuxer !== 'matroska' && known.length === streams.length;
  // Matroska says when it ends, all others how long they are.
  const filmEnd = isKnown ? Math.max(...known) : demuxer === 'matroska' ? said : begin + said;
  return {
    startSeconds,
    seconds: Math.max(0, filmEnd - begin),
    placeOf: (stream) => {
      const lack = filmEnd - (endOf(demuxer, stream, said) ?? filmEnd);
      return {
        isPunctual: secondsOf(stream.start_time) - startSeconds <= LATE,
        lackSeconds: lack > SHORT ? lack : 0,
      };
    },
  };
}

/**
 * A file's clock may start anywhere, and picture and sound may start or end at different times. None of that is damage.
 */
import type { Demuxer } from './tools.ts';

export type Timed = {
  start_time?: string | undefined;
  duration?: string | undefined;
  tags?: Record<string, string> | undefined;
};

export type Place = {
  /** True if it starts with the video. Players treat more than {@link LATE} as a gap and skip it. */
  isPunctual: boolean;
  /** Seconds by which it ends before the video. 0 if less than {@link SHORT} or unknown. */
  lackSeconds: number;
};
export type Span = {
  /** Start of the video on the file's own clock. */
  startSeconds: number;
  /** Duration from there to its end. 0 if unknown. */
  seconds: number;
  placeOf: (stream: Timed) => Place;
};

/** In seconds. */
const LATE = 0.1;
const SHORT = 0.5;

const secondsOf = (text: string | undefined) => Number(text ?? 0) || 0;

/** Some writers of Matroska store the length in this tag, some the end. */
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

export function spanOf(demuxer: Demuxer, streams: readonly Timed[], duration: string | undefined): Span {
  const said = secondsOf(duration);
  const startSeconds = Math.min(...streams.map((stream) => secondsOf(stream.start_time)));
  // Data before 0 is only needed by decoders and is not played.
  const begin = Math.max(0, startSeconds);
  const ends = streams.map((stream) => endOf(demuxer, stream, said));
  const known = ends.filter((end) => end !== undefined);
  const isKnown = demuxer !== 'matroska' && known.length === streams.length;
  // Matroska stores when it ends, all others how long they are.
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

/**
 * HLS (RFC 8216) of one file a rung: each rung is a fragmented MP4 whose playlist names byte ranges, so that a video of
 * hours is a handful of objects in any store. Here are the master playlist and what is read out of the others.
 */
import { open, readFile } from 'node:fs/promises';

export type Rung = {
  /** The name of its files: `{name}.mp4`, `{name}.m3u8`. */
  name: string;
  width: number;
  height: number;
  /** Bits a second at the peak, and over all. */
  bandwidth: number;
  averageBandwidth: number;
  codecs: string;
};

export type Segment = { seconds: number; start: number; length: number };
export type Playlist = { init: { start: number; length: number }; segments: Segment[] };

/** Reads a rung's playlist as ffmpeg writes it: one file, byte ranges. Throws for any other. */
export function parsePlaylist(text: string): Playlist {
  const map = /#EXT-X-MAP:.*BYTERANGE="(\d+)@(\d+)"/.exec(text);
  if (!map) throw new Error('a playlist without an initialisation section');
  const segments: Segment[] = [];
  let seconds = 0;
  for (const line of text.split('\n')) {
    const duration = /^#EXTINF:([\d.]+)/.exec(line);
    if (duration) seconds = Number(duration[1]);
    const range = /^#EXT-X-BYTERANGE:(\d+)@(\d+)/.exec(line);
    if (range) segments.push({ seconds, start: Number(range[2]), length: Number(range[1]) });
  }
  return { init: { start: Number(map[2]), length: Number(map[1]) }, segments };
}

/** Bits a second: the greediest segment's, and the mean. */
export function bandwidthOf({ segments }: Playlist): { peak: number; mean: number; longestSeconds: number } {
  let peak = 0;
  let bytes = 0;
  let seconds = 0;
  let longestSeconds = 0;
  for (const segment of segments) {
    // A last piece of a few frames is no measure.
    if (segment.seconds >= 0.5 || segments.length === 1)
      peak = Math.max(peak, (segment.length * 8) / Math.max(segment.seconds, 0.04));
    bytes += segment.length;
    seconds += segment.seconds;
    longestSeconds = Math.max(longestSeconds, segment.seconds);
  }
  return { peak: Math.ceil(peak), mean: Math.ceil((bytes * 8) / Math.max(seconds, 0.04)), longestSeconds };
}

/** RFC 6381 names of what lies in an initialisation section: `avc1.PPCCLL` out of the AVC configuration, AAC-LC. */
function codecsOf(init: Buffer): string {
  const names: string[] = [];
  const at = init.indexOf('avcC', 0, 'latin1');
  if (at > 0) names.push(`avc1.${init.subarray(at + 5, at + 8).toString('hex')}`);
  if (init.includes('mp4a', 0, 'latin1')) names.push('mp4a.40.2');
  return names.join(',');
}

/** What the master playlist says of a rung that lies in `dir`, and how long its longest segment is. */
export async function measureRung(
  dir: string,
  rung: { name: string; width: number; height: number },
): Promise<{ rung: Rung; longestSeconds: number; seconds: number }> {
  const playlist = parsePlaylist(await readFile(`${dir}/${rung.name}.m3u8`, 'utf8'));
  const file = await open(`${dir}/${rung.name}.mp4`);
  try {
    const { buffer } = await file.read(
      Buffer.alloc(playlist.init.length),
      0,
      playlist.init.length,
      playlist.init.start,
    );
    const { peak, mean, longestSeconds } = bandwidthOf(playlist);
    return {
      rung: { ...rung, bandwidth: Math.max(peak, mean), averageBandwidth: mean, codecs: codecsOf(buffer) },
      longestSeconds,
      seconds: playlist.segments.reduce((sum, segment) => sum + segment.seconds, 0),
    };
  } finally {
    await file.close();
  }
}

/** The playlist of playlists, which names each rung's by `addressOf`. Players begin with the first that they can play: the middle one, not to make anybody wait. */
export function masterPlaylist<R extends Rung>(rungs: readonly R[], addressOf: (rung: R) => string): string {
  const ascending = rungs.toSorted((a, b) => a.bandwidth - b.bandwidth);
  const first = ascending.findLast((rung) => Math.min(rung.width, rung.height) <= 480) ?? ascending[0];
  const ordered = first ? [first, ...ascending.filter((rung) => rung !== first)] : [];
  const lines = ordered.map((rung) => {
    const { width, height, bandwidth, averageBandwidth, codecs } = rung;
    return `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${averageBandwidth},RESOLUTION=${width}x${height},CODECS="${codecs}"\n${addressOf(rung)}`;
  });
  return `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n${lines.join('\n')}\n`;
}

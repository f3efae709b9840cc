/**
 * HLS (RFC 8216) with one fragmented MP4 per rendition and byte ranges, so that a long video is only a handful of
 * objects in the store.
 */
import { open, readFile } from 'node:fs/promises';

export type Rendition = {
  name: string;
  width: number;
  height: number;
  /** Bits per second, at the peak and on average. */
  bandwidth: number;
  averageBandwidth: number;
  codecs: string;
};

export type Segment = { seconds: number; start: number; length: number };
export type Playlist = { init: { start: number; length: number }; segments: Segment[] };

/** Parses a playlist as ffmpeg writes it. Throws for any other. */
export function parsePlaylist(text: string): Playlist {
  const map = /#EXT-X-MAP:.*BYTERANGE="(\d+)@(\d+)"/.exec(text);
  if (!map) throw new Error('a playlist without an initialization section');
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

/** `peak` and `mean` are in bits per second. */
export function measureBandwidth({ segments }: Playlist): { peak: number; mean: number; longestSeconds: number } {
  let peak = 0;
  let bytes = 0;
  let seconds = 0;
  let longestSeconds = 0;
  for (const segment of segments) {
    // A last segment of a few frames is not representative.
    if (segment.seconds >= 0.5 || segments.length === 1)
      peak = Math.max(peak, (segment.length * 8) / Math.max(segment.seconds, 0.04));
    bytes += segment.length;
    seconds += segment.seconds;
    longestSeconds = Math.max(longestSeconds, segment.seconds);
  }
  return { peak: Math.ceil(peak), mean: Math.ceil((bytes * 8) / Math.max(seconds, 0.04)), longestSeconds };
}

/** Returns RFC 6381 names: `avc1.PPCCLL` from the AVC configuration, and AAC-LC. */
function readCodecs(init: Buffer): string {
  const names: string[] = [];
  const at = init.indexOf('avcC', 0, 'latin1');
  if (at > 0) names.push(`avc1.${init.subarray(at + 5, at + 8).toString('hex')}`);
  if (init.includes('mp4a', 0, 'latin1')) names.push('mp4a.40.2');
  return names.join(',');
}

export async function measureRendition(
  dir: string,
  rendition: { name: string; width: number; height: number },
): Promise<{ rendition: Rendition; longestSeconds: number; seconds: number }> {
  const playlist = parsePlaylist(await readFile(`${dir}/${rendition.name}.m3u8`, 'utf8'));
  const file = await open(`${dir}/${rendition.name}.mp4`);
  try {
    const { buffer } = await file.read(
      Buffer.alloc(playlist.init.length),
      0,
      playlist.init.length,
      playlist.init.start,
    );
    const { peak, mean, longestSeconds } = measureBandwidth(playlist);
    return {
      rendition: { ...rendition, bandwidth: Math.max(peak, mean), averageBandwidth: mean, codecs: readCodecs(buffer) },
      longestSeconds,
      seconds: playlist.segments.reduce((sum, segment) => sum + segment.seconds, 0),
    };
  } finally {
    await file.close();
  }
}

/** Players start with the first entry that they can play, so the middle one comes first for a fast start. */
export function formatMasterPlaylist<R extends Rendition>(
  renditions: readonly R[],
  toAddress: (rendition: R) => string,
): string {
  const ascending = renditions.toSorted((a, b) => a.bandwidth - b.bandwidth);
  const first = ascending.findLast((rendition) => Math.min(rendition.width, rendition.height) <= 480) ?? ascending[0];
  const ordered = first ? [first, ...ascending.filter((rendition) => rendition !== first)] : [];
  const lines = ordered.map((rendition) => {
    const { width, height, bandwidth, averageBandwidth, codecs } = rendition;
    return `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},AVERAGE-BANDWIDTH=${averageBandwidth},RESOLUTION=${width}x${height},CODECS="${codecs}"\n${toAddress(rendition)}`;
  });
  return `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n${lines.join('\n')}\n`;
}

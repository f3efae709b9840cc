import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sniffMediaType } from '../sniff-type.ts';
import { createMediaFile, createToneArgs, probeFile } from '../testing.ts';
import { findDemuxer, inspectSource } from './inspect.ts';
import { normalizeAudio, PeakMeter } from './sound.ts';
import { findTools } from './tools.ts';

describe('audio', () => {
  it.each([
    ['MP3', 'a.mp3', ['-c:a', 'libmp3lame']],
    ['AAC', 'a.aac', ['-c:a', 'aac']],
    ['M4A', 'a.m4a', ['-c:a', 'alac']],
    ['Opus', 'a.opus', ['-c:a', 'libopus']],
    ['Vorbis', 'a.ogg', ['-c:a', 'libvorbis']],
    ['WAV', 'a.wav', []],
    ['FLAC', 'a.flac', []],
    ['Opus in WebM', 'a.webm', ['-c:a', 'libopus']],
  ])('%s becomes AAC, with its waveform and duration', async (_name, name, codec) => {
    const tools = await findTools({ ffmpegPath: 'ffmpeg', programPath: process.env.PATH ?? '' });
    if (!tools) throw new Error('ffmpeg is missing');
    const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-sound-'));
    try {
      const file = path.join(dir, 'original');
      await writeFile(file, await createMediaFile(name, [...createToneArgs(2, 0.05), ...codec]));
      const demuxer = findDemuxer((await sniffMediaType(file)).contentType);
      if (!demuxer) throw new Error('the type is not accepted');
      const source = await inspectSource(tools, dir, file, demuxer);
      expect(source.video).toBeNull();
      const { seconds, waveform } = await normalizeAudio({ tools, dir }, file, source);
      expect(seconds).toBeGreaterThan(1.8);
      expect(seconds).toBeLessThan(2.3);
      expect(waveform.length).toBeGreaterThan(20);
      expect(Math.max(...waveform)).toBe(1);
      const { streams } = await probeFile(await readFile(path.join(dir, 'audio.m4a')));
      expect(streams.map(({ codec_name }) => codec_name)).toEqual(['aac']);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('has the same peaks however its samples are split', () => {
    const samples = Buffer.alloc(4000 * 2);
    for (let at = 0; at < 4000; at += 1) samples.writeInt16LE(at < 2000 ? 100 : -20_000, at * 2);
    for (const size of [1, 3, 7, 4096]) {
      const peaks = new PeakMeter();
      for (let at = 0; at < samples.length; at += size) peaks.add(samples.subarray(at, at + size));
      expect(peaks.seconds).toBe(1);
      const waveform = peaks.waveform();
      expect(waveform).toHaveLength(20);
      expect([waveform[0], waveform.at(-1)]).toEqual([0.01, 1]);
    }
  });
});

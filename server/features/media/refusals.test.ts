import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { supportedMimeTypes } from 'file-type';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodePicture } from './pictures.ts';
import { recognise } from './recognise.ts';
import { refusalOf } from './refusals.ts';
import { MediaError, SENTENCES } from './sentences.ts';
import { h264, inputs, made } from './video/testing.ts';

async function refused(content: Buffer): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-refused-'));
  try {
    const file = path.join(dir, 'holiday.jpg');
    await writeFile(file, content);
    const is = await recognise(file);
    return `taken as ${is.contentType}`;
  } catch (error) {
    if (error instanceof MediaError) return error.message;
    throw error;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const latin = (text: string) => Buffer.from(text, 'latin1');
const boxed = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 20]), latin(`ftyp${brand}\0\0\0\0${brand}`), Buffer.alloc(200)]);
const photograph = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#a52' } });

describe('a refused file', () => {
  it.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['Photoshop', () => latin('8BPS\0\x01'), /a Photoshop file \(PSD\).*isn’t supported.*Export it as JPEG or PNG/],
    ['TIFF', () => latin('II*\0\x08\0\0\0\0\0'), /a TIFF image.*Export it as JPEG or PNG/],
    ['BMP', () => latin(`BM${'\0'.repeat(100)}`), /a bitmap \(BMP\).*JPEG or PNG/],
    ['JPEG XL', () => latin('\xff\x0a\0\0\0\0'), /a JPEG XL image.*JPEG or PNG/],
    ['a raw photo', () => boxed('crx '), /a Canon raw photo \(CR3\).*JPEG/],
    ['SVG', () => latin('<svg xmlns="http://www.w3.org/2000/svg"/>'), /a drawing \(SVG\).*JPEG or PNG/],
    ['SVG behind words', () => latin('<?xml version="1.0"?>\n<!-- <svg> -->\n<svg/>'), /a drawing \(SVG\)/],
    ['OpenEXR', () => latin('v/1\x01\x02\0\0\0'), /an OpenEXR image/],
    ['PDF', () => latin('%PDF-1.4\n'), /a PDF document.*Export its pages as JPEG or PNG/],
    ['ZIP', () => latin(`PK\x03\x04${'\0'.repeat(99)}`), /a ZIP archive.*Extract it/],
    ['a program', () => latin(`MZ${'\x07'.repeat(99)}`), /a Windows program.*Upload a photo/],
    ['a web page', () => latin('<!doctype html><p>'), /a web page \(HTML\)/],
    ['a playlist', () => latin('#EXTM3U\n'), /a playlist \(M3U8\).*MP4/],
    ['words', () => Buffer.from('Grüße, 你好\n'.repeat(900)), /a text file/],
    [
      'Flash',
      () => made('a.flv', [...inputs({ seconds: 0.2, hasSound: false }), '-c:v', 'flv1']),
      /a Flash video \(FLV\).*MP4/,
    ],
    ['MPEG-2', () => made('a.mpg', [...inputs({ seconds: 0.2 }), '-c:v', 'mpeg2video']), /an MPEG video.*MP4/],
    [
      'a transport stream',
      () => made('a.ts', [...inputs({ seconds: 0.2 }), '-c:v', 'mpeg2video']),
      /transport stream.*MP4/,
    ],
    ['Windows Media', () => made('a.wmv', inputs({ seconds: 0.2 })), /Windows Media.*MP4/],
    ['AIFF', () => made('a.aiff', ['-f', 'lavfi', '-i', 'sine=d=0.2']), /an AIFF file.*MP3/],
    ['Core Audio', () => made('a.caf', ['-f', 'lavfi', '-i', 'sine=d=0.2']), /Core Audio.*MP3/],
  ])('%s is named in the message', async (_name, make, words) => {
    const sentence = await refused(await make());
    expect(sentence).toMatch(words);
    expect(sentence).toMatch(/^This is an? .*isn’t supported/);
    expect(sentence).not.toContain('damaged');
  });

  it('gets a general message when its type is unknown', async () => {
    expect(await refused(Buffer.alloc(5000, 3))).toBe(SENTENCES.type);
  });

  it('gets a message about pictures where only pictures are accepted', async () => {
    const words = (file: Buffer) => decodePicture(file).then(String, (error: unknown) => String(error));
    expect(await words(await h264({ seconds: 0.2 }))).toMatch(/a video \(MP4\).*isn’t supported here.*Use an image/);
    expect(await words(latin('8BPS\0\x01'))).toMatch(/Photoshop.*Export it as JPEG or PNG/);
    expect(await words(latin('%PDF-1.4\n'))).toMatch(/a PDF document.*Use an image/);
    expect(await words(Buffer.alloc(500, 3))).toContain(SENTENCES.picture);
  });

  it('gets a specific message for every type that the detection library knows', async () => {
    for (const mime of supportedMimeTypes) {
      const sentence = await refusalOf(Buffer.alloc(8), { ext: 'zip', mime });
      expect(sentence, mime).toMatch(/^This is (?:an? .+|captions .+)\. This file type isn’t supported\. [A-Z].+\.$/);
    }
  });

  it('is not called damaged when only its coding is unsupported', async () => {
    const changed = async (at: number, value: number) => {
      const file = await photograph().jpeg().toBuffer();
      file[file.indexOf(Buffer.from([0xff, 0xc0])) + at] = value;
      return decodePicture(file);
    };
    await expect(changed(1, 0xc5)).rejects.toThrow(SENTENCES.coding);
    await expect(changed(4, 12)).rejects.toThrow(SENTENCES.coding);
    expect(await refused(await photograph().jpeg().toBuffer())).toBe('taken as image/jpeg');
  });
});

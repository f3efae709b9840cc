import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { supportedMimeTypes } from 'file-type';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { MEDIA_MESSAGES, MediaError } from './error-messages.ts';
import { decodePicture } from './pictures.ts';
import { sniffMediaType } from './sniff-type.ts';
import { createH264, createInputArgs, createMediaFile } from './testing.ts';
import { describeUnsupportedType } from './unsupported-types.ts';

async function getRefusal(content: Buffer): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-refused-'));
  try {
    const file = path.join(dir, 'holiday.jpg');
    await writeFile(file, content);
    const type = await sniffMediaType(file);
    return `taken as ${type.contentType}`;
  } catch (error) {
    if (error instanceof MediaError) return error.message;
    throw error;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const toLatin1 = (text: string) => Buffer.from(text, 'latin1');
const createBoxFile = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 20]), toLatin1(`ftyp${brand}\0\0\0\0${brand}`), Buffer.alloc(200)]);
const createPhotograph = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#a52' } });

describe('a refused file', () => {
  it.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['Photoshop', () => toLatin1('8BPS\0\x01'), /a Photoshop file \(PSD\).*isn’t supported.*Export it as JPEG or PNG/],
    ['TIFF', () => toLatin1('II*\0\x08\0\0\0\0\0'), /a TIFF image.*Export it as JPEG or PNG/],
    ['BMP', () => toLatin1(`BM${'\0'.repeat(100)}`), /a bitmap \(BMP\).*JPEG or PNG/],
    ['JPEG XL', () => toLatin1('\xff\x0a\0\0\0\0'), /a JPEG XL image.*JPEG or PNG/],
    ['a raw photo', () => createBoxFile('crx '), /a Canon raw photo \(CR3\).*JPEG/],
    ['SVG', () => toLatin1('<svg xmlns="http://www.w3.org/2000/svg"/>'), /a drawing \(SVG\).*JPEG or PNG/],
    [
      'SVG after an XML declaration and a comment',
      () => toLatin1('<?xml version="1.0"?>\n<!-- <svg> -->\n<svg/>'),
      /a drawing \(SVG\)/,
    ],
    ['OpenEXR', () => toLatin1('v/1\x01\x02\0\0\0'), /an OpenEXR image/],
    ['PDF', () => toLatin1('%PDF-1.4\n'), /a PDF document.*Export its pages as JPEG or PNG/],
    ['ZIP', () => toLatin1(`PK\x03\x04${'\0'.repeat(99)}`), /a ZIP archive.*Extract it/],
    ['a program', () => toLatin1(`MZ${'\x07'.repeat(99)}`), /a Windows program.*Upload a photo/],
    ['a web page', () => toLatin1('<!doctype html><p>'), /a web page \(HTML\)/],
    ['a playlist', () => toLatin1('#EXTM3U\n'), /a playlist \(M3U8\).*MP4/],
    ['plain text', () => Buffer.from('Grüße, 你好\n'.repeat(900)), /a text file/],
    [
      'Flash',
      () => createMediaFile('a.flv', [...createInputArgs({ seconds: 0.2, hasSound: false }), '-c:v', 'flv1']),
      /a Flash video \(FLV\).*MP4/,
    ],
    [
      'MPEG-2',
      () => createMediaFile('a.mpg', [...createInputArgs({ seconds: 0.2 }), '-c:v', 'mpeg2video']),
      /an MPEG video.*MP4/,
    ],
    [
      'a transport stream',
      () => createMediaFile('a.ts', [...createInputArgs({ seconds: 0.2 }), '-c:v', 'mpeg2video']),
      /transport stream.*MP4/,
    ],
    ['Windows Media', () => createMediaFile('a.wmv', createInputArgs({ seconds: 0.2 })), /Windows Media.*MP4/],
    ['AIFF', () => createMediaFile('a.aiff', ['-f', 'lavfi', '-i', 'sine=d=0.2']), /an AIFF file.*MP3/],
    ['Core Audio', () => createMediaFile('a.caf', ['-f', 'lavfi', '-i', 'sine=d=0.2']), /Core Audio.*MP3/],
  ])('%s is named in the message', async (_name, make, pattern) => {
    const sentence = await getRefusal(await make());
    expect(sentence).toMatch(pattern);
    expect(sentence).toMatch(/^This is an? .*isn’t supported/);
    expect(sentence).not.toContain('damaged');
  });

  it('gets a general message when its type is unknown', async () => {
    expect(await getRefusal(Buffer.alloc(5000, 3))).toBe(MEDIA_MESSAGES.unknownType);
  });

  it('gets a message about pictures where only pictures are accepted', async () => {
    const getMessage = (file: Buffer) => decodePicture(file).then(String, (error: unknown) => String(error));
    expect(await getMessage(await createH264({ seconds: 0.2 }))).toMatch(
      /a video \(MP4\).*isn’t supported here.*Use an image/,
    );
    expect(await getMessage(toLatin1('8BPS\0\x01'))).toMatch(/Photoshop.*Export it as JPEG or PNG/);
    expect(await getMessage(toLatin1('%PDF-1.4\n'))).toMatch(/a PDF document.*Use an image/);
    expect(await getMessage(Buffer.alloc(500, 3))).toContain(MEDIA_MESSAGES.unknownPicture);
  });

  it('gets a specific message for every type that the detection library knows', async () => {
    for (const mime of supportedMimeTypes) {
      const sentence = await describeUnsupportedType(Buffer.alloc(8), { ext: 'zip', mime });
      expect(sentence, mime).toMatch(/^This is (?:an? .+|captions .+)\. This file type isn’t supported\. [A-Z].+\.$/);
    }
  });

  it('is not called damaged when only its coding is unsupported', async () => {
    const decodeWithByte = async (at: number, value: number) => {
      const file = await createPhotograph().jpeg().toBuffer();
      file[file.indexOf(Buffer.from([0xff, 0xc0])) + at] = value;
      return decodePicture(file);
    };
    await expect(decodeWithByte(1, 0xc5)).rejects.toThrow(MEDIA_MESSAGES.unsupportedCoding);
    await expect(decodeWithByte(4, 12)).rejects.toThrow(MEDIA_MESSAGES.unsupportedCoding);
    expect(await getRefusal(await createPhotograph().jpeg().toBuffer())).toBe('taken as image/jpeg');
  });
});

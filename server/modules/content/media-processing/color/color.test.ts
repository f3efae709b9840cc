/** Compares decoded colors with what a real browser (Chromium) shows for the same file. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Pixels } from '../heic.ts';
import { decodePicture } from '../pictures.ts';
import {
  createChart,
  createChunk,
  encodeAvif,
  encodeHeic,
  insertChunks,
  renderInChromium,
  toPngFixed,
} from './testing.ts';

function distance(shown: Buffer, { data, width, height, channels }: Pixels): number {
  let sum = 0;
  for (let at = 0; at < width * height; at += 1)
    for (let channel = 0; channel < 3; channel += 1)
      sum += Math.abs((shown[at * 4 + channel] ?? 0) - (data[at * channels + channel] ?? 0));
  return sum / (width * height * 3);
}

const P3 = [12, 13] as const;
const PQ = [9, 16] as const;
const ADOBE = toPngFixed(0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06);
const cicp = (primaries: number, transfer: number) => createChunk('cICP', primaries, transfer, 0, 1);
const gamma = (value: number) => createChunk('gAMA', ...toPngFixed(value));

async function createSamples() {
  const png = await createChart().png().toBuffer();
  const png16 = await createChart().toColourspace('rgb16').png().toBuffer();
  const gray = await createChart().grayscale().toColourspace('b-w').png().toBuffer();
  const table = await createChart().png({ palette: true }).toBuffer();
  const { icc } = await sharp(await createChart().withIccProfile('p3').png().toBuffer()).metadata();
  if (!icc) throw new Error('no profile');
  const profile = createChunk('iCCP', 0x78, 0, 0, ...deflateSync(icc));
  const p3Png = insertChunks(png, profile);
  const asJpeg = { quality: 100, chromaSubsampling: '4:4:4' };
  return new Map<string, [type: string, content: Buffer]>([
    ['Display P3 in a PNG', ['image/png', p3Png]],
    ['Display P3 in a PNG of 16 bits', ['image/png', insertChunks(png16, profile)]],
    ['Display P3 in a JPEG', ['image/jpeg', await sharp(p3Png).keepIccProfile().jpeg(asJpeg).toBuffer()]],
    ['Display P3 in a WebP', ['image/webp', await sharp(p3Png).keepIccProfile().webp({ lossless: true }).toBuffer()]],
    ['Display P3 in an AVIF', ['image/avif', await sharp(p3Png).keepIccProfile().avif(asJpeg).toBuffer()]],
    ['cICP of Display P3', ['image/png', insertChunks(png, cicp(...P3))]],
    ['cICP of Display P3, of 16 bits', ['image/png', insertChunks(png16, cicp(...P3))]],
    ['cICP of Display P3, with a table of colours', ['image/png', insertChunks(table, cicp(...P3))]],
    ['cICP before another profile', ['image/png', insertChunks(png, cicp(9, 13), profile)]],
    ['cICP of BT.2020', ['image/png', insertChunks(png, cicp(9, 1))]],
    ['cICP of HDR by PQ', ['image/png', insertChunks(png, cicp(...PQ))]],
    ['cICP of HDR by PQ, of 16 bits', ['image/png', insertChunks(png16, cicp(...PQ))]],
    ['cICP of HDR by HLG', ['image/png', insertChunks(png, cicp(9, 18))]],
    ['gAMA of linear light', ['image/png', insertChunks(png, gamma(1))]],
    ['gAMA of old Macs, in grays', ['image/png', insertChunks(gray, gamma(1 / 1.8))]],
    ['gAMA and cHRM of Adobe RGB', ['image/png', insertChunks(png, gamma(1 / 2.2), createChunk('cHRM', ...ADOBE))]],
    ['an AVIF with codes of Display P3', ['image/avif', await encodeAvif(png, ...P3)]],
    ['an AVIF with codes of BT.2020', ['image/avif', await encodeAvif(png, 9, 1)]],
    ['an AVIF of HDR by PQ', ['image/avif', await encodeAvif(png, ...PQ)]],
    ['no color information', ['image/png', png]],
    ['cICP of sRGB', ['image/png', insertChunks(png, cicp(1, 13))]],
    ['gAMA of sRGB', ['image/png', insertChunks(png, gamma(0.45455))]],
    ['an sRGB chunk beside a gAMA', ['image/png', insertChunks(png, createChunk('sRGB', 0), gamma(1))]],
    ['cHRM alone', ['image/png', insertChunks(png, createChunk('cHRM', ...ADOBE))]],
  ]);
}

it('decoded colors match Chromium within 3 of 255', { timeout: 120_000 }, async () => {
  const all = await createSamples();
  const shown = await renderInChromium([...all.values()].map(([type, content]) => ({ type, content })));
  const distances: [string, number][] = [];
  for (const [at, [name, [, content]]] of [...all].entries())
    distances.push([name, distance(shown[at] ?? Buffer.alloc(0), await decodePicture(content))]);
  expect(distances.filter(([, mean]) => mean > 3)).toEqual([]);
  expect(distances).toHaveLength(all.size);
});

it('the colors of a HEIC are read from its profile or from its color codes', async () => {
  const png = await createChart().png().toBuffer();
  const { icc } = await sharp(await createChart().withIccProfile('p3').png().toBuffer()).metadata();
  const p3Png = insertChunks(png, createChunk('iCCP', 0x78, 0, 0, ...deflateSync(icc ?? Buffer.alloc(0))));
  const expected = await sharp(p3Png).ensureAlpha().raw().toBuffer();
  const heicFile = await encodeHeic(p3Png, '-q', '97', '-p', 'chroma=444');
  expect(distance(expected, await decodePicture(heicFile))).toBeLessThan(3);

  const recoded = Buffer.from(heicFile);
  const at = recoded.indexOf('colrprof');
  expect(at).toBeGreaterThan(0);
  recoded.write('colrnclx', at);
  recoded.set([0, 12, 0, 13, 0, 6, 0x80], at + 8);
  expect(distance(expected, await decodePicture(recoded))).toBeLessThan(3);
  // Control: without a profile and codes, the colors differ.
  recoded.set([0, 1], at + 8);
  expect(distance(expected, await decodePicture(recoded))).toBeGreaterThan(5);
});

it('invalid color definitions are treated as sRGB', async () => {
  const png = await createChart().png().toBuffer();
  const expected = await createChart().ensureAlpha().raw().toBuffer();
  const invalidChunks = [
    [gamma(0)],
    [gamma(40)],
    [gamma(0.3), createChunk('cHRM', ...toPngFixed(0.3, 0, 0, 0, 0, 0, 0, 0))],
    [createChunk('cICP', 99, 98, 0, 1)],
    [createChunk('cICP', 12, 13, 5, 1)],
    [createChunk('gAMA', 1)],
    [createChunk('iCCP', 1, 2, 3)],
  ];
  for (const chunks of invalidChunks)
    expect(distance(expected, await decodePicture(insertChunks(png, ...chunks)))).toBeLessThan(0.1);
});

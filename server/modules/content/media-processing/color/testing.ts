import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { convertFile } from '../testing.ts';

const run = promisify(execFile);

async function withTempFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), 'stagedoor-colours-'));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export const CHART_SIZE = { width: 120, height: 80 };
const PATCH = 10;

export function createChart(): Sharp {
  const { width, height } = CHART_SIZE;
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    const patch = Math.floor(Math.floor(at / width) / PATCH) * (width / PATCH) + Math.floor((at % width) / PATCH);
    for (let channel = 0; channel < 3; channel += 1)
      data[at * 3 + channel] = patch < 12 ? patch * 23 : (patch * (97 + 54 * channel)) % 256;
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

export function createChunk(type: string, ...content: number[]): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), 8 + content.length);
  return bytes;
}

export function toPngFixed(...values: number[]): number[] {
  return values.flatMap((value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(Math.round(value * 100_000));
    return [...bytes];
  });
}

export function insertChunks(png: Buffer, ...chunks: Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
}

export function encodeAvif(png: Buffer, primaries: number, transfer: number): Promise<Buffer> {
  const codes = [
    '-color_primaries',
    `${primaries}`,
    '-color_trc',
    `${transfer}`,
    '-colorspace',
    '6',
    '-color_range',
    'pc',
  ];
  const pixels = ['-vf', 'scale=out_color_matrix=bt601:out_range=full,format=yuv444p'];
  const coder = ['-c:v', 'libaom-av1', '-still-picture', '1', '-crf', '2', '-cpu-used', '6'];
  return convertFile(png, 'made.avif', [...pixels, ...coder, ...codes]);
}

export function encodeHeic(png: Buffer, ...options: string[]): Promise<Buffer> {
  return withTempFolder(async (dir) => {
    await writeFile(path.join(dir, 'given.png'), png);
    await run('heif-enc', [...options, 'given.png', '-o', 'made.heic'], { cwd: dir });
    return readFile(path.join(dir, 'made.heic'));
  });
}

export function encodeHeicCollection(...pngs: Buffer[]): Promise<Buffer> {
  return withTempFolder(async (dir) => {
    const names = pngs.map((_, at) => `given-${at}.png`);
    for (const [at, png] of pngs.entries()) await writeFile(path.join(dir, names[at] ?? ''), png);
    await run('heif-enc', [...names, '-o', 'made.heic'], { cwd: dir });
    return readFile(path.join(dir, 'made.heic'));
  });
}

const BROWSERS = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export function renderInChromium(files: readonly { type: string; content: Buffer }[]): Promise<Buffer[]> {
  return withTempFolder(async (dir) => {
    const images = files.map(({ type, content }) => `<img src="data:${type};base64,${content.toString('base64')}">`);
    const script = `onload = () => {
      const drawn = [...document.images].map((image) => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
        const context = canvas.getContext('2d', { colorSpace: 'srgb' });
        context.drawImage(image, 0, 0);
        return btoa(String.fromCharCode(...context.getImageData(0, 0, canvas.width, canvas.height).data));
      });
      document.body.textContent = 'pixels:' + drawn.join(' ') + ':';
    }`;
    await writeFile(path.join(dir, 'page.html'), `<body>${images.join('')}<script>${script}</script>`);
    const program = BROWSERS.find((candidate) => candidate !== undefined && existsSync(candidate));
    if (!program) throw new Error('there is no Chromium');
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--force-color-profile=srgb'];
    const pageArgs = [
      `--user-data-dir=${path.join(dir, 'profile')}`,
      '--dump-dom',
      `file://${path.join(dir, 'page.html')}`,
    ];
    const { stdout } = await run(program, [...flags, ...pageArgs], { maxBuffer: 1 << 28, timeout: 60_000 });
    const pixels = /pixels:([^:]*):/.exec(stdout)?.[1];
    if (pixels === undefined) throw new Error(`Chromium drew nothing: ${stdout.slice(0, 500)}`);
    return pixels.split(' ').map((drawn) => Buffer.from(drawn, 'base64'));
  });
}

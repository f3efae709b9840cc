/** Watermarked pictures are made on first request and cached per viewer in a local folder of limited size. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import sharp from 'sharp';
import type { Context } from '../../../../platform/context.ts';
import { createConcurrencyLimit } from '../../../../platform/limits/concurrency-limit.ts';
import { getRetentionMs } from '../../../../platform/retention.ts';
import type { Actor } from '../../../../platform/security/session.ts';

/** The font is bundled, so that no system font is needed. */
const FONT_FILE = fileURLToPath(new URL('./fonts/hanken-mark.ttf', import.meta.url));
const FONT = 'Hanken Grotesk SemiBold';
const WATERMARK_STYLE = {
  angle: -24,
  light: 0.34,
  dark: 0.3,
  wide: 1.3,
  high: 4.2,
  perWidth: 1 / 24,
  smallest: 11,
  largest: 72,
};
const COPY_RETENTION_MS = getRetentionMs('markedCopies');
const MAX_BYTES = 1024 ** 3;

/** Pango interprets the text as markup. */
function escapeMarkup(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

async function drawName(name: string, size: number, color: string, opacity: number): Promise<Buffer> {
  const text = `<span foreground="${color}" alpha="${Math.round(opacity * 100)}%">${escapeMarkup(name)}</span>`;
  return sharp({ text: { text, font: `${FONT} ${size}`, fontfile: FONT_FILE, rgba: true, dpi: 72 } })
    .png()
    .toBuffer();
}

async function drawTile(name: string, width: number): Promise<Buffer> {
  const size = Math.round(
    Math.min(WATERMARK_STYLE.largest, Math.max(WATERMARK_STYLE.smallest, width * WATERMARK_STYLE.perWidth)),
  );
  const [light, dark] = await Promise.all([
    drawName(name, size, '#ffffff', WATERMARK_STYLE.light),
    drawName(name, size, '#000000', WATERMARK_STYLE.dark),
  ]);
  const { width: textWidth = 1, height: textHeight = 1 } = await sharp(light).metadata();
  const edge = Math.max(1, Math.round(size / 18));
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const flat = await sharp({
    create: { width: textWidth + edge, height: textHeight + edge, channels: 4, background: clear },
  })
    .composite([
      { input: dark, left: edge, top: edge },
      { input: light, left: 0, top: 0 },
    ])
    .png()
    .toBuffer();
  const rotated = await sharp(flat)
    .rotate(WATERMARK_STYLE.angle, { background: clear })
    .png()
    .toBuffer({ resolveWithObject: true });
  const tile = {
    width: Math.round(Math.max(rotated.info.width, textWidth * WATERMARK_STYLE.wide)),
    height: Math.round(Math.max(rotated.info.height, textHeight * WATERMARK_STYLE.high)),
  };
  return sharp({ create: { ...tile, channels: 4, background: clear } })
    .composite([{ input: rotated.data, gravity: 'centre' }])
    .png()
    .toBuffer();
}

export async function addWatermark(picture: Buffer, name: string, format: 'webp' | 'jpg'): Promise<Buffer> {
  const { width = 640, height = 640 } = await sharp(picture).metadata();
  const tile = await drawTile(name, width);
  const { width: tileWidth = 1, height: tileHeight = 1 } = await sharp(tile).metadata();
  // A tile must not be larger than the picture.
  const fittingTile =
    tileWidth > width || tileHeight > height
      ? await sharp(tile)
          .resize({ width: Math.min(width, tileWidth), height: Math.min(height, tileHeight), fit: 'cover' })
          .png()
          .toBuffer()
      : tile;
  const watermarked = sharp(picture).composite([{ input: fittingTile, tile: true }]);
  return format === 'webp'
    ? watermarked.webp({ quality: 75 }).toBuffer()
    : watermarked.jpeg({ quality: 78 }).toBuffer();
}

/** Concurrent requests for the same copy share the work. */
export class WatermarkCache {
  readonly #ctx: Context;
  readonly #dir: string;
  readonly #inProgress = new Map<string, Promise<Buffer>>();
  readonly #watermarkLimit = createConcurrencyLimit({ max: 2, maxWaiting: 400 });

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#dir = path.join(ctx.config.dataDir, 'marked');
  }

  /** Throws NOT_FOUND, UNAVAILABLE when too many are being made. */
  async find(key: string, viewer: Actor, format: 'webp' | 'jpg'): Promise<Buffer> {
    const name = createHash('sha256').update(`${key}\n${viewer.userId}\n${viewer.username}\n${format}`).digest('hex');
    const file = path.join(this.#dir, name.slice(0, 2), name);
    const cached = await readFile(file).catch(() => undefined);
    if (cached) {
      const now = this.#ctx.clock.now();
      await utimes(file, now, now).catch(() => undefined);
      return cached;
    }
    const creation = this.#inProgress.get(name) ?? this.#create(key, viewer.username, format, file);
    this.#inProgress.set(name, creation);
    return creation.finally(() => this.#inProgress.delete(name));
  }

  async #create(key: string, name: string, format: 'webp' | 'jpg', file: string): Promise<Buffer> {
    const stored = await this.#ctx.storage.open(key);
    if (!stored) throw new AppError('NOT_FOUND');
    return this.#watermarkLimit.run(async () => {
      const watermarked = await addWatermark(await buffer(await stored.stream()), name, format);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.partial`, watermarked);
      await rename(`${file}.partial`, file);
      return watermarked;
    });
  }

  /** Deletes copies not requested for a week, then the oldest ones until the rest fits. */
  async sweep(maxBytes = MAX_BYTES): Promise<void> {
    const files: { file: string; at: number; byteSize: number }[] = [];
    for (const folder of await readdir(this.#dir).catch(() => [])) {
      for (const name of await readdir(path.join(this.#dir, folder)).catch(() => [])) {
        const file = path.join(this.#dir, folder, name);
        const stats = await stat(file).catch(() => undefined);
        if (stats) files.push({ file, at: stats.mtimeMs, byteSize: stats.size });
      }
    }
    const expiredBefore = this.#ctx.clock.now().getTime() - COPY_RETENTION_MS;
    let total = 0;
    for (const { file, at, byteSize } of files.sort((a, b) => b.at - a.at)) {
      total += byteSize;
      if (at < expiredBefore || total > maxBytes) await rm(file, { force: true });
    }
  }
}

/** Watermarked pictures are made on first request and cached per viewer in a local folder of limited size. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import sharp from 'sharp';
import type { Context } from '../../../kernel/context.ts';
import { keptMs } from '../../../kernel/retention.ts';
import type { Actor } from '../../../kernel/session.ts';

/** The font is bundled, so that no system font is needed. */
const FONT_FILE = fileURLToPath(new URL('./fonts/hanken-mark.ttf', import.meta.url));
const FONT = 'Hanken Grotesk SemiBold';
const LOOK = { angle: -24, light: 0.34, dark: 0.3, wide: 1.3, high: 4.2, perWidth: 1 / 24, smallest: 11, largest: 72 };
const KEPT_MS = keptMs('markedCopies');
const MOST_BYTES = 1024 ** 3;
const AT_ONCE = 2;
const MOST_WAITING = 400;

/** Pango interprets the text as markup. */
function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

async function word(name: string, size: number, color: string, opacity: number): Promise<Buffer> {
  const text = `<span foreground="${color}" alpha="${Math.round(opacity * 100)}%">${escaped(name)}</span>`;
  return sharp({ text: { text, font: `${FONT} ${size}`, fontfile: FONT_FILE, rgba: true, dpi: 72 } })
    .png()
    .toBuffer();
}

async function tileOf(name: string, width: number): Promise<Buffer> {
  const size = Math.round(Math.min(LOOK.largest, Math.max(LOOK.smallest, width * LOOK.perWidth)));
  const [light, dark] = await Promise.all([
    word(name, size, '#ffffff', LOOK.light),
    word(name, size, '#000000', LOOK.dark),
  ]);
  const { width: across = 1, height: down = 1 } = await sharp(light).metadata();
  const edge = Math.max(1, Math.round(size / 18));
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const flat = await sharp({ create: { width: across + edge, height: down + edge, channels: 4, background: clear } })
    .composite([
      { input: dark, left: edge, top: edge },
      { input: light, left: 0, top: 0 },
    ])
    .png()
    .toBuffer();
  const turned = await sharp(flat)
    .rotate(LOOK.angle, { background: clear })
    .png()
    .toBuffer({ resolveWithObject: true });
  const tile = {
    width: Math.round(Math.max(turned.info.width, across * LOOK.wide)),
    height: Math.round(Math.max(turned.info.height, down * LOOK.high)),
  };
  return sharp({ create: { ...tile, channels: 4, background: clear } })
    .composite([{ input: turned.data, gravity: 'centre' }])
    .png()
    .toBuffer();
}

export async function watermark(picture: Buffer, name: string, form: 'webp' | 'jpg'): Promise<Buffer> {
  const { width = 640, height = 640 } = await sharp(picture).metadata();
  const tile = await tileOf(name, width);
  const { width: tileWidth = 1, height: tileHeight = 1 } = await sharp(tile).metadata();
  // A tile must not be larger than the picture.
  const fitting =
    tileWidth > width || tileHeight > height
      ? await sharp(tile)
          .resize({ width: Math.min(width, tileWidth), height: Math.min(height, tileHeight), fit: 'cover' })
          .png()
          .toBuffer()
      : tile;
  const marked = sharp(picture).composite([{ input: fitting, tile: true }]);
  return form === 'webp' ? marked.webp({ quality: 75 }).toBuffer() : marked.jpeg({ quality: 78 }).toBuffer();
}

/** Concurrent requests for the same copy share the work. */
export class Watermarks {
  readonly #ctx: Context;
  readonly #dir: string;
  readonly #making = new Map<string, Promise<Buffer>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#dir = path.join(ctx.config.dataDir, 'marked');
  }

  /** Throws NOT_FOUND, UNAVAILABLE when too many are being made. */
  async find(key: string, viewer: Actor, form: 'webp' | 'jpg'): Promise<Buffer> {
    const name = createHash('sha256').update(`${key}\n${viewer.userId}\n${viewer.username}\n${form}`).digest('hex');
    const file = path.join(this.#dir, name.slice(0, 2), name);
    const kept = await readFile(file).catch(() => undefined);
    if (kept) {
      const now = this.#ctx.clock.now();
      await utimes(file, now, now).catch(() => undefined);
      return kept;
    }
    const making = this.#making.get(name) ?? this.#make(key, viewer.username, form, file);
    this.#making.set(name, making);
    return making.finally(() => this.#making.delete(name));
  }

  async #make(key: string, name: string, form: 'webp' | 'jpg', file: string): Promise<Buffer> {
    const stored = await this.#ctx.storage.open(key);
    if (!stored) throw new AppError('NOT_FOUND');
    await this.#takeTurn();
    try {
      const marked = await watermark(await buffer(await stored.stream()), name, form);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.partial`, marked);
      await rename(`${file}.partial`, file);
      return marked;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= MOST_WAITING) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
    await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  /** Deletes copies not requested for a week, then the oldest ones until the rest fits. */
  async sweep(mostBytes = MOST_BYTES): Promise<void> {
    const files: { file: string; at: number; byteSize: number }[] = [];
    for (const folder of await readdir(this.#dir).catch(() => [])) {
      for (const name of await readdir(path.join(this.#dir, folder)).catch(() => [])) {
        const file = path.join(this.#dir, folder, name);
        const stats = await stat(file).catch(() => undefined);
        if (stats) files.push({ file, at: stats.mtimeMs, byteSize: stats.size });
      }
    }
    const old = this.#ctx.clock.now().getTime() - KEPT_MS;
    let total = 0;
    for (const { file, at, byteSize } of files.sort((a, b) => b.at - a.at)) {
      total += byteSize;
      if (at < old || total > mostBytes) await rm(file, { force: true });
    }
  }
}

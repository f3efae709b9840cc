/** The demo world is made at whatever hour somebody starts it first; its history is another one at each, and need not bring the same people together. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createTestApp } from '../testing/app.ts';
import { seedDemo } from './seed.ts';

const ART = fileURLToPath(new URL('./art/', import.meta.url));

test('at an hour whose history never brought together whom the world parts, and in two goes', async () => {
  const app = await createTestApp({ now: new Date('2026-11-26T06:52:00.000Z') });
  try {
    const { ctx } = app;
    const readArt = async (name: string) =>
      sharp(await readFile(`${ART}${name}.webp`))
        .resize({ width: 16 })
        .webp()
        .toBuffer();
    const make = (print: (line: string) => void) => seedDemo({ ctx, databaseUrl: app.databaseUrl, print, readArt });
    // The power goes out when operators have taken away what was liked on the way.
    const cut = (line: string) => {
      if (line.includes('the doors')) throw new Error('the power went out');
    };
    await expect(make(cut)).rejects.toThrow('the power went out');
    expect(await make(() => undefined)).toBe('made');
  } finally {
    await app.close();
  }
}, 180_000);

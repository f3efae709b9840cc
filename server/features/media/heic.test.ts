/** A decoder that is late says nothing about the picture. */
import { readFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { decodePicture } from './pictures.ts';
import { SlowError } from './sentences.ts';

afterEach(() => void vi.useRealTimers());

it('does not call a picture damaged whose decoder took too long', async () => {
  const file = await readFile(new URL('./fixtures/turned-320x240.heic', import.meta.url));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const decoded = expect(decodePicture(file)).rejects.toBeInstanceOf(SlowError);
  while (vi.getTimerCount() === 0) await new Promise((resolve) => void setImmediate(resolve));
  vi.advanceTimersByTime(60_000);
  await decoded;
});

import { readFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { ProcessingTimeoutError } from './error-messages.ts';
import { decodePicture } from './pictures.ts';

afterEach(() => void vi.useRealTimers());

it('a picture whose decoder takes too long is reported as slow, not as damaged', async () => {
  const file = await readFile(new URL('./fixtures/turned-320x240.heic', import.meta.url));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const decoded = expect(decodePicture(file)).rejects.toBeInstanceOf(ProcessingTimeoutError);
  while (vi.getTimerCount() === 0) await new Promise((resolve) => void setImmediate(resolve));
  vi.advanceTimersByTime(60_000);
  await decoded;
});

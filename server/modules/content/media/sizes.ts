import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../platform/context.ts';
import { inspectPicture } from '../media-processing/index.ts';

export type PixelSize = { width: number; height: number };

/** Returns the size in pixels, or undefined if the file does not exist. */
export async function findStoredSize(
  { storage }: Pick<Context, 'storage'>,
  key: string,
): Promise<PixelSize | undefined> {
  const stored = await storage.open(key);
  if (!stored) return undefined;
  const { width, height } = await inspectPicture(await buffer(await stored.stream()));
  return { width, height };
}

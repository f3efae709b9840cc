/** How large a stored picture is, by its own head: whoever tells others of its address says what they will get. */
import { buffer } from 'node:stream/consumers';
import type { Context } from '../../kernel/context.ts';
import { inspectPicture } from './pictures.ts';

export type Size = { width: number; height: number };

/** In pixels; nothing when there is no such file. */
export async function sizeOfStored({ storage }: Pick<Context, 'storage'>, key: string): Promise<Size | undefined> {
  const stored = await storage.open(key);
  if (!stored) return undefined;
  const { width, height } = await inspectPicture(await buffer(await stored.stream()));
  return { width, height };
}

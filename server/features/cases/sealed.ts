import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { FileAnswer } from '@stagedoor/contract/atoms/route.ts';
import type { Context } from '../../kernel/context.ts';
import { seal, unsealBytes } from '../../kernel/seal.ts';

/** Files in this folder without a row of cases are deleted. */
export const CASE_FILES = 'cases';

type Keeping = Pick<Context, 'config' | 'storage'>;
const keyOf = ({ config }: Pick<Context, 'config'>) => config.deriveKey('cases');

export function putSealed(ctx: Keeping, key: string, content: Buffer): Promise<void> {
  return ctx.storage.put(key, seal(keyOf(ctx), key, content), 'application/octet-stream');
}

export async function readSealed(ctx: Keeping, key: string): Promise<Buffer | undefined> {
  const stored = await ctx.storage.open(key);
  if (!stored) return undefined;
  const parts: Buffer[] = [];
  for await (const part of await stored.stream()) parts.push(part);
  return unsealBytes(keyOf(ctx), key, Buffer.concat(parts));
}

async function* once(content: Buffer) {
  yield content;
}

/** Returns the decrypted file as a response. Throws NOT_FOUND. */
export async function openSealed(
  ctx: Keeping,
  key: string,
  { name, type }: Pick<FileAnswer, 'name' | 'type'>,
): Promise<FileAnswer> {
  const content = await readSealed(ctx, key);
  if (!content) throw new AppError('NOT_FOUND');
  return { name, type, bytes: content.length, body: once(content) };
}

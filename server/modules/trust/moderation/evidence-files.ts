import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FileResponse } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { decryptBytes, encryptContent } from '../../../platform/security/encryption.ts';

/** Files in this folder without a row of cases are deleted. */
export const CASE_FILES = 'cases';

type EvidenceContext = Pick<Context, 'config' | 'storage'>;
const getEncryptionKey = ({ config }: Pick<Context, 'config'>) => config.deriveKey('cases');

export function storeEncrypted(ctx: EvidenceContext, key: string, content: Buffer): Promise<void> {
  return ctx.storage.put(key, encryptContent(getEncryptionKey(ctx), key, content), 'application/octet-stream');
}

export async function readEncrypted(ctx: EvidenceContext, key: string): Promise<Buffer | undefined> {
  const stored = await ctx.storage.open(key);
  if (!stored) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of await stored.stream()) chunks.push(chunk);
  return decryptBytes(getEncryptionKey(ctx), key, Buffer.concat(chunks));
}

async function* streamOnce(content: Buffer) {
  yield content;
}

/** Returns the decrypted file as a response. Throws NOT_FOUND. */
export async function openEncryptedFile(
  ctx: EvidenceContext,
  key: string,
  { name, type }: Pick<FileResponse, 'name' | 'type'>,
): Promise<FileResponse> {
  const content = await readEncrypted(ctx, key);
  if (!content) throw new AppError('NOT_FOUND');
  return { name, type, bytes: content.length, body: streamOnce(content) };
}

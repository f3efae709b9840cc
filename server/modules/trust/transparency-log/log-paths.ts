import type { Config } from '../../../platform/config.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { createVerifier, parseVkey, toSigningKey, type Verifier } from './signed-note.ts';

export const CHECKPOINTS_FOLDER = 'ledger/checkpoints';
/** A copy of the newest checkpoint, so that it is found without listing. */
export const NEWEST_CHECKPOINT = 'ledger/checkpoint';

export function toCheckpointKey(size: number): string {
  return `${CHECKPOINTS_FOLDER}/${String(size).padStart(15, '0')}`;
}

export function toOrigin({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${new URL(publicUrl).host}/ledger`;
}

export function createOwnVerifier(config: Pick<Config, 'publicUrl' | 'ledgerLogSigningKey'>): Verifier {
  return createVerifier(toOrigin(config), toSigningKey(config.ledgerLogSigningKey));
}

/** Verifies signatures of every key that the log ever had. Throws when a former key is invalid. */
export function listVerifiers(
  config: Pick<Config, 'publicUrl' | 'ledgerLogSigningKey' | 'ledgerLogPreviousKeys'>,
): Verifier[] {
  return [createOwnVerifier(config), ...config.ledgerLogPreviousKeys.map(parseVkey)];
}

export async function readText(storage: Storage, key: string): Promise<string | undefined> {
  const file = await storage.open(key);
  if (!file) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of await file.stream()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

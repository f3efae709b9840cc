import type { Config } from '../../kernel/config.ts';
import type { Storage } from '../../kernel/storage.ts';
import { parseVkey, signingKey, type Verifier, verifierOf } from './note.ts';

export const CHECKPOINTS = 'ledger/checkpoints';
/** A copy of the newest checkpoint, so that it is found without listing. */
export const NEWEST = 'ledger/checkpoint';

export function checkpointKey(size: number): string {
  return `${CHECKPOINTS}/${String(size).padStart(15, '0')}`;
}

export function originOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${new URL(publicUrl).host}/ledger`;
}

export function ownVerifier(config: Pick<Config, 'publicUrl' | 'logSigningKey'>): Verifier {
  return verifierOf(originOf(config), signingKey(config.logSigningKey));
}

/** Verifies signatures of every key that the log ever had. Throws when a former key is invalid. */
export function allVerifiers(config: Pick<Config, 'publicUrl' | 'logSigningKey' | 'logFormerKeys'>): Verifier[] {
  return [ownVerifier(config), ...config.logFormerKeys.map(parseVkey)];
}

export async function readText(storage: Storage, key: string): Promise<string | undefined> {
  const file = await storage.open(key);
  if (!file) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of await file.stream()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

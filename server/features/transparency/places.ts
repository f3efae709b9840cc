/** Where checkpoints lie outside the database, and under which names the log is known. */
import type { Config } from '../../kernel/config.ts';
import type { Storage } from '../../kernel/storage.ts';
import { parseVkey, signingKey, type Verifier, verifierOf } from './note.ts';

export const CHECKPOINTS = 'ledger/checkpoints';
/** The newest again, so that it is found without listing. */
export const NEWEST = 'ledger/checkpoint';

/** In the order of sizes. */
export function checkpointKey(size: number): string {
  return `${CHECKPOINTS}/${String(size).padStart(15, '0')}`;
}

/** The log's name: our address without scheme. */
export function originOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `${new URL(publicUrl).host}/ledger`;
}

/** What proves our signatures. */
export function ownVerifier(config: Pick<Config, 'publicUrl' | 'logSigningKey'>): Verifier {
  return verifierOf(originOf(config), signingKey(config.logSigningKey));
}

/** What proves the signatures of every key that the log ever had. Throws when a former one cannot be read. */
export function allVerifiers(config: Pick<Config, 'publicUrl' | 'logSigningKey' | 'logFormerKeys'>): Verifier[] {
  return [ownVerifier(config), ...config.logFormerKeys.map(parseVkey)];
}

/** A small text of the store, or nothing. */
export async function readText(storage: Storage, key: string): Promise<string | undefined> {
  const file = await storage.open(key);
  if (!file) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of await file.stream()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

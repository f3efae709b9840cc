/** The module that owns the policy texts registers how consent is stored in the sign-up's transaction. */
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';

type House = Pick<Context, 'clock' | 'events'>;
type Keep = (tx: Transaction, userId: string, at: Date) => Promise<void>;
const keepers = new WeakMap<Context['events'], Keep>();

export function onConsent({ events }: House, keep: Keep): void {
  if (keepers.has(events)) throw new Error('Consent is kept twice.');
  keepers.set(events, keep);
}

export async function keepConsent({ events }: House, tx: Transaction, userId: string, at: Date): Promise<void> {
  await keepers.get(events)?.(tx, userId, at);
}

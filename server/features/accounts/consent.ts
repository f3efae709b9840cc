/** Who signs up agrees to what the box names; the room above that has those texts keeps them, in the sign-up's own transaction. */
import type { Context } from '../../kernel/context.ts';
import type { Transaction } from '../../kernel/db.ts';

/** The same house, whichever clock it goes by. */
type House = Pick<Context, 'clock' | 'events'>;
type Keep = (tx: Transaction, userId: string, at: Date) => Promise<void>;
const keepers = new WeakMap<Context['events'], Keep>();

/** What somebody agrees to when they sign up is kept by this: one room does. */
export function onConsent({ events }: House, keep: Keep): void {
  if (keepers.has(events)) throw new Error('Consent is kept twice.');
  keepers.set(events, keep);
}

export async function keepConsent({ events }: House, tx: Transaction, userId: string, at: Date): Promise<void> {
  await keepers.get(events)?.(tx, userId, at);
}

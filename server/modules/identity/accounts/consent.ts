/** The module that owns the policy texts registers how consent is stored in the sign-up's transaction. */
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';

type ConsentContext = Pick<Context, 'clock' | 'events'>;
type StoreConsent = (tx: DbTransaction, userId: string, at: Date) => Promise<void>;
const handlers = new WeakMap<Context['events'], StoreConsent>();

export function registerConsentHandler({ events }: ConsentContext, handler: StoreConsent): void {
  if (handlers.has(events)) throw new Error('A consent handler is registered twice.');
  handlers.set(events, handler);
}

export async function storeConsent(
  { events }: ConsentContext,
  tx: DbTransaction,
  userId: string,
  at: Date,
): Promise<void> {
  await handlers.get(events)?.(tx, userId, at);
}

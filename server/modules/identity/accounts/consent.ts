/** The module that owns the policy texts registers how consent is stored in the sign-up's transaction. */
import type { DbTransaction } from '../../../platform/database/db.ts';
import { defineHook, type HookContext } from '../../../platform/hooks.ts';

type StoreConsent = (tx: DbTransaction, userId: string, at: Date) => Promise<void>;
const consentHandler = defineHook<StoreConsent>('accounts.consentHandler');
export const registerConsentHandler = consentHandler.register;

export async function storeConsent(ctx: HookContext, tx: DbTransaction, userId: string, at: Date): Promise<void> {
  await consentHandler.get(ctx)(tx, userId, at);
}

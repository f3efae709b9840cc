/**
 * Remembers in this tab who has just signed up, so that the "check your mail" step survives a reload and a discarded
 * tab.
 */

import { useEffect, useState, useSyncExternalStore } from 'react';
import { sessionStore } from '../../../platform/browser-storage.ts';
import { readRegisteredText, saveRegisteredText } from '../../../platform/storage.ts';

/** @param sentAt When the email was sent, in ms. Absent if it was sent just now. */
export type SignedUpAccount = { username: string; email: string; sentAt?: number };

const subscribeNever = () => () => undefined;

function parseAccount(text: string): SignedUpAccount | undefined {
  const stored = new URLSearchParams(text);
  const username = stored.get('username');
  const email = stored.get('email');
  return username && email ? { username, email, sentAt: Number(stored.get('sentAt')) } : undefined;
}

function storeAccount(account: SignedUpAccount): void {
  const { username, email, sentAt = Date.now() } = account;
  saveRegisteredText(sessionStore, new URLSearchParams({ username, email, sentAt: String(sentAt) }).toString());
}

/**
 * The stored registration is undefined if no sign-up happened in this tab. Setting undefined clears it.
 * @param initialAccount The account that a form without script has just registered.
 */
export function useSignedUpAccount(
  initialAccount: SignedUpAccount | undefined,
): [SignedUpAccount | undefined, (account: SignedUpAccount | undefined) => void] {
  const [override, setOverride] = useState<SignedUpAccount | null | undefined>(initialAccount);
  const stored = useSyncExternalStore(
    subscribeNever,
    () => readRegisteredText(sessionStore),
    () => '',
  );
  useEffect(() => {
    if (initialAccount) storeAccount(initialAccount);
  }, [initialAccount]);
  const set = (account: SignedUpAccount | undefined) => {
    if (account) storeAccount(account);
    else saveRegisteredText(sessionStore, undefined);
    setOverride(account ?? null);
  };
  return [override === undefined ? parseAccount(stored) : (override ?? undefined), set];
}

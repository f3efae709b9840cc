/**
 * Remembers in this tab who has just signed up, so that the "check your mail" step survives a reload and a discarded
 * tab.
 */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { keepRegistered, registeredText } from '../../kernel/storage.ts';

/** @param sentAt When the email was sent, in ms. Absent if it was sent just now. */
export type Registered = { username: string; email: string; sentAt?: number };

const listenNever = () => () => undefined;

function fromText(text: string): Registered | undefined {
  const kept = new URLSearchParams(text);
  const username = kept.get('username');
  const email = kept.get('email');
  return username && email ? { username, email, sentAt: Number(kept.get('sentAt')) } : undefined;
}

function keep(who: Registered): void {
  const { username, email, sentAt = Date.now() } = who;
  keepRegistered(sessionStorage, new URLSearchParams({ username, email, sentAt: String(sentAt) }).toString());
}

/**
 * The stored registration is undefined if no sign-up happened in this tab. Setting undefined clears it.
 * @param sentHere The account that a form without script has just registered.
 */
export function useRegistered(
  sentHere: Registered | undefined,
): [Registered | undefined, (who: Registered | undefined) => void] {
  const [told, setTold] = useState<Registered | null | undefined>(sentHere);
  const kept = useSyncExternalStore(
    listenNever,
    () => registeredText(sessionStorage),
    () => '',
  );
  useEffect(() => {
    if (sentHere) keep(sentHere);
  }, [sentHere]);
  const set = (who: Registered | undefined) => {
    if (who) keep(who);
    else keepRegistered(sessionStorage, undefined);
    setTold(who ?? null);
  };
  return [told === undefined ? fromText(kept) : (told ?? undefined), set];
}

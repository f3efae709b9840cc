/** Who signed up in this tab and was sent to their mail: neither a reload loses it, nor a phone that drops the tab meanwhile. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { keepRegistered, registeredText } from '../../kernel/storage.ts';

/** `sentAt` is when the mail went, in ms; left out where it has just gone. */
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

/** Nobody when undefined; setting undefined forgets them. `sentHere` is whom the form sent without script has registered. */
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

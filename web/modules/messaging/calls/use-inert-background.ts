import { useEffect } from 'react';

/** Toasts are shown over a call, so they stay readable and can be dismissed. */
const STAYS = '[data-call], section[aria-live], script';

/** Takes the page behind a call from keyboard and screen reader until the call ends. */
export function useInertBackground(): void {
  useEffect(() => {
    const elements = [...document.body.children].filter(
      (element) => element instanceof HTMLElement && !element.matches(STAYS),
    );
    const madeInert = elements.filter((element) => !element.hasAttribute('inert'));
    for (const element of madeInert) element.setAttribute('inert', '');
    return () => {
      for (const element of madeInert) element.removeAttribute('inert');
    };
  }, []);
}

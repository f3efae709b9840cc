import { useEffect } from 'react';

/** Takes the page behind a call from keyboard and screen reader until the call ends. */
export function useInertBackground(): void {
  useEffect(() => {
    const elements = [...document.body.children].filter(
      (element) => element instanceof HTMLElement && !element.hasAttribute('data-call') && element.tagName !== 'SCRIPT',
    );
    const madeInert = elements.filter((element) => !element.hasAttribute('inert'));
    for (const element of madeInert) element.setAttribute('inert', '');
    return () => {
      for (const element of madeInert) element.removeAttribute('inert');
    };
  }, []);
}

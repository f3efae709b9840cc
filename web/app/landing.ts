/** Where an address names a part of its page, the keys go on from there, as they do in a document that is loaded. */
import { useEffect } from 'react';
import { useLocation } from 'react-router';

export function Landing(): null {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same part may be asked for again
  useEffect(() => {
    const part = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
    if (part?.tabIndex === -1 && part.hasAttribute('tabindex')) part.focus({ preventScroll: true });
  }, [hash, key]);
  return null;
}

/**
 * Moves the keyboard focus to the part of the page that the address hash names, as browsers do when they load a
 * document.
 */
import { useEffect } from 'react';
import { useLocation } from 'react-router';

export function HashFocus(): null {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same part may be requested again
  useEffect(() => {
    const part = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)));
    if (part?.tabIndex === -1 && part.hasAttribute('tabindex')) part.focus({ preventScroll: true });
  }, [hash, key]);
  return null;
}

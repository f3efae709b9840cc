/** The place for toasts; says when it is there, so that no word is lost before. */
import { useEffect } from 'react';
import { toasterIsThere } from '../kernel/outcome.ts';
import { Toaster } from '../ui/toaster.tsx';

export function Toasts() {
  useEffect(toasterIsThere, []);
  return <Toaster />;
}

/** Renders the toasts and signals when it is mounted, so that no earlier message is lost. */
import { useEffect } from 'react';
import { toasterIsThere } from '../kernel/outcome.ts';
import { Toaster } from '../ui/toaster.tsx';

export function Toasts() {
  useEffect(toasterIsThere, []);
  return <Toaster />;
}

/** Renders the toasts and signals when it is mounted, so that no earlier message is lost. */
import { useEffect } from 'react';
import { markToasterReady } from '../platform/feedback.ts';
import { Toaster } from '../ui/toaster.tsx';

export function Toasts() {
  useEffect(markToasterReady, []);
  return <Toaster />;
}

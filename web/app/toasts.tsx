/** Renders the toasts. Toasts are shown once it is mounted, so that no earlier message is lost. */
import { useEffect } from 'react';
import { provideToast } from '../platform/feedback.ts';
import { Toaster, toast } from '../ui/toaster.tsx';

export function Toasts() {
  useEffect(() => provideToast(toast), []);
  return <Toaster />;
}

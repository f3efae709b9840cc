/** What a toast is told to its library (row I1): how long it stays, and that an error is said once. */
import { expect, test, vi } from 'vitest';
import { toast } from './toaster.tsx';

const shown = vi.hoisted(() => vi.fn());
vi.mock('sonner', () => ({
  Toaster: () => null,
  toast: { custom: shown, dismiss: () => undefined },
  useSonner: () => ({ toasts: [] }),
}));

test('a toast stays for five seconds; the same error is one bar, other words are others', () => {
  toast.info('Saved.');
  toast.error('Not saved.');
  toast.error('Not saved.');
  toast.error('Too long.', { durationMs: 9_000 });
  expect(shown.mock.calls.map(([, options]) => options)).toEqual([
    { duration: 5_000, unstyled: true },
    { duration: 5_000, unstyled: true, id: 'error:Not saved.' },
    { duration: 5_000, unstyled: true, id: 'error:Not saved.' },
    { duration: 9_000, unstyled: true, id: 'error:Too long.' },
  ]);
});

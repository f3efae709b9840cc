import { expect, test, vi } from 'vitest';
import { toast } from './toaster.tsx';

const shown = vi.hoisted(() => vi.fn());
vi.mock('sonner', () => ({
  Toaster: () => null,
  toast: { custom: shown, dismiss: () => undefined },
  useSonner: () => ({ toasts: [] }),
}));

test('a toast stays for five seconds, and the same error is shown only once (row I1)', () => {
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

/** Shows the result of a call to the user: a toast, the front page or the blocked account dialog (rows A12, I1, W1). */
import type { ToastOptions, ToastType } from '../ui/toaster.tsx';
import { ApiError } from './api-error.ts';
import { whenReachable } from './lazy-part.ts';
import { signal } from './signals.ts';

export interface Shown {
  /** Shows the response's `message` or `info`. Default: false. */
  showSuccessMessage?: boolean | undefined;
  /** Shows all errors, or only the matching ones. Default: true. */
  showErrorMessage?: boolean | ((error: ApiError) => boolean) | undefined;
}

export function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('message' in body && typeof body.message === 'string' && body.message !== '') return body.message;
  if ('info' in body && typeof body.info === 'string' && body.info !== '') return body.info;
  return undefined;
}

let blocked: { words: string; proof: string | undefined } | undefined;
export const lastBlock = () => blocked;

/**
 * Returns how to react to an error: the frame handles `unauthorized` and `blocked`, `show` is displayed, `none` is
 * ignored.
 */
export function reactionTo(
  error: unknown,
  shown: Shown,
): { kind: 'unauthorized' | 'blocked' | 'none' } | { kind: 'show'; message: string } {
  if (!(error instanceof ApiError)) return { kind: 'none' };
  if (error.code === 'UNAUTHORIZED') return { kind: 'unauthorized' };
  if (error.code === 'account_blocked') {
    blocked = { words: error.message, proof: error.proof };
    return { kind: 'blocked' };
  }
  const { showErrorMessage: isSaid = true } = shown;
  const isShown = typeof isSaid === 'function' ? isSaid(error) : isSaid;
  return isShown ? { kind: 'show', message: error.message } : { kind: 'none' };
}

let toldOfToaster: (() => void) | undefined;
const toaster = new Promise<void>((resolve) => {
  toldOfToaster = resolve;
});

export function toasterIsThere(): void {
  toldOfToaster?.();
}

/** Shows a toast. The toaster's code loads with the first press on a page or with the first toast. */
export async function showToast(
  message: string,
  type: ToastType = 'info',
  options: Pick<ToastOptions, 'action' | 'id'> = {},
): Promise<void> {
  signal('toast');
  const { toast } = await whenReachable(() => import('../ui/toaster.tsx'));
  // The signal is repeated because during hydration the frame does not listen yet.
  signal('toast');
  await toaster;
  toast(message, { ...options, type });
}

export function showFailure(error: unknown, shown: Shown = {}): void {
  const reaction = reactionTo(error, shown);
  if (reaction.kind === 'show') void showToast(reaction.message, 'error');
  else if (reaction.kind !== 'none') signal(reaction.kind);
}

export function showSuccess(body: unknown, shown: Shown = {}): void {
  const message = shown.showSuccessMessage ? messageOf(body) : undefined;
  if (message) void showToast(message, 'success');
}

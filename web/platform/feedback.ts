/** Shows the result of a call to the user: a toast, the front page or the blocked account dialog (rows A12, I1, W1). */
import type { ToastOptions, ToastType } from '../ui/toaster.tsx';
import { ApiError } from './api-error.ts';
import { localizeTimes } from './local-message.ts';
import { emitSignal } from './signals.ts';

export interface FeedbackOptions {
  /** Shows the response's `message` or `info`. Default: false. */
  showSuccessMessage?: boolean | undefined;
  /** Shows all errors, or only the matching ones. Default: true. */
  showErrorMessage?: boolean | ((error: ApiError) => boolean) | undefined;
}

export function findMessage(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('message' in body && typeof body.message === 'string' && body.message !== '') return body.message;
  if ('info' in body && typeof body.info === 'string' && body.info !== '') return body.info;
  return undefined;
}

let blockNotice: { message: string; proof: string | undefined } | undefined;
export const getBlockNotice = () => blockNotice;

/**
 * Returns how to react to an error: the frame handles `unauthorized` and `blocked`, `show` is displayed, `none` is
 * ignored.
 */
export function toReaction(
  error: unknown,
  options: FeedbackOptions,
): { kind: 'unauthorized' | 'blocked' | 'none' } | { kind: 'show'; message: string } {
  if (!(error instanceof ApiError)) return { kind: 'none' };
  if (error.code === 'UNAUTHORIZED') return { kind: 'unauthorized' };
  if (error.code === 'account_blocked') {
    blockNotice = { message: error.message, proof: error.proof };
    return { kind: 'blocked' };
  }
  const { showErrorMessage: errorFilter = true } = options;
  const isShown = typeof errorFilter === 'function' ? errorFilter(error) : errorFilter;
  return isShown ? { kind: 'show', message: error.message } : { kind: 'none' };
}

type Toast = (message: string, options: ToastOptions) => unknown;
let isRequested = false;
let resolveToaster: ((toast: Toast) => void) | undefined;
const toaster = new Promise<Toast>((resolve) => {
  resolveToaster = resolve;
});

/** Whether a toast is waiting for the toaster, also one from before the frame listened to signals. */
export const isToasterRequested = () => isRequested;

/** The toaster's code provides it once it is rendered. Importing it here could load another file while offline. */
export const provideToast = (toast: Toast) => resolveToaster?.(toast);

/** Shows a toast. The toaster's code loads with the first press on a page or with the first toast. */
export async function showToast(
  message: string,
  type: ToastType = 'info',
  options: Pick<ToastOptions, 'action' | 'id'> = {},
): Promise<void> {
  isRequested = true;
  emitSignal('toast');
  const toast = await toaster;
  toast(message, { ...options, type });
}

export function showFailure(error: unknown, options: FeedbackOptions = {}): void {
  const reaction = toReaction(error, options);
  if (reaction.kind === 'show') void showToast(reaction.message, 'error');
  else if (reaction.kind !== 'none') emitSignal(reaction.kind);
}

export function showSuccess(body: unknown, options: FeedbackOptions = {}): void {
  const message = options.showSuccessMessage ? findMessage(body) : undefined;
  if (message) void showToast(localizeTimes(message), 'success');
}

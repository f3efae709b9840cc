/**
 * A tip for which the fan first adds funds. What was typed is stored in the tab, and the page to which the fan returns opens
 * the dialog with it.
 */
import type { TIP_TYPES } from '@stagedoor/contract/finance/wallet.ts';
import { buildAddress } from '../../../platform/address.ts';
import { sessionStore } from '../../../platform/browser-storage.ts';

export type TipTarget = {
  creatorId: string;
  creatorName: string;
  type: (typeof TIP_TYPES)[number];
  postId?: string;
  goal?: { id: string; title: string };
  returnTo: string;
};

const STORAGE_KEY = 'pendingTip';
const RESUME_PARAM = 'tip';

export type TipDraft = { selected: number; customAmount: string; note: string };

const toTargetKey = ({ creatorId, type, postId, goal }: TipTarget) =>
  [creatorId, type, postId ?? '', goal?.id ?? ''].join(' ');

/** Returns the address of the target's page that opens the dialog again. */
export function resumeTipHref({ returnTo }: TipTarget): string {
  const { pathname, search } = new URL(returnTo, 'http://x');
  return buildAddress(pathname, new URLSearchParams(search), { [RESUME_PARAM]: 'resume' });
}

export const isTipResumed = (search: URLSearchParams): boolean => search.get(RESUME_PARAM) === 'resume';

export function removeResumeParam(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(RESUME_PARAM);
  return next;
}

export function savePendingTip(target: TipTarget, draft: TipDraft): void {
  sessionStore.setItem(STORAGE_KEY, JSON.stringify({ target: toTargetKey(target), ...draft }));
}

/** Returns the tip that waits for this target and forgets it. */
export function takePendingTip(target: TipTarget): TipDraft | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStore.getItem(STORAGE_KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { target: key, selected, customAmount, note } = { ...stored } as Partial<Record<string, unknown>>;
    if (key !== toTargetKey(target) || typeof selected !== 'number') return undefined;
    sessionStore.removeItem(STORAGE_KEY);
    return {
      selected,
      customAmount: typeof customAmount === 'string' ? customAmount : '',
      note: typeof note === 'string' ? note : '',
    };
  } catch {
    return undefined;
  }
}

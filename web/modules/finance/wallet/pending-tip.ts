/**
 * A tip that is not sent yet. What was typed is stored in the tab until it is sent, so that neither the way to a deposit nor a
 * reload loses it. The page to which the fan returns opens the dialog with it. Its address has the amount as well, for
 * browsers that store nothing.
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
const PARAMS = { resume: 'tip', target: 'tipFor', amount: 'tipAmount' } as const;

export type TipDraft = { selected: number; customAmount: string; note: string };

const toTargetKey = ({ creatorId, type, postId, goal }: TipTarget) =>
  [creatorId, type, postId ?? '', goal?.id ?? ''].join(' ');

/** Returns the address of the target's page that opens the dialog again. */
export function resumeTipHref(target: TipTarget, amount: number): string {
  const { pathname, search } = new URL(target.returnTo, 'http://x');
  return buildAddress(pathname, new URLSearchParams(search), {
    [PARAMS.resume]: 'resume',
    [PARAMS.target]: toTargetKey(target),
    [PARAMS.amount]: String(amount),
  });
}

export const isTipResumed = (search: URLSearchParams): boolean => search.get(PARAMS.resume) === 'resume';

export function removeResumeParams(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of Object.values(PARAMS)) next.delete(name);
  return next;
}

export function savePendingTip(target: TipTarget, draft: TipDraft): void {
  sessionStore.setItem(STORAGE_KEY, JSON.stringify({ target: toTargetKey(target), ...draft }));
}

/** Returns the tip to this target that was not sent yet. */
export function findPendingTip(target: TipTarget): TipDraft | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStore.getItem(STORAGE_KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { target: key, selected, customAmount, note } = { ...stored } as Partial<Record<string, unknown>>;
    if (key !== toTargetKey(target) || typeof selected !== 'number') return undefined;
    return {
      selected,
      customAmount: typeof customAmount === 'string' ? customAmount : '',
      note: typeof note === 'string' ? note : '',
    };
  } catch {
    return undefined;
  }
}

/** Returns the tip that the address continues for this target, from the tab or else the amount in the address. */
export function findResumedTip(search: URLSearchParams, target: TipTarget): TipDraft | undefined {
  if (!isTipResumed(search) || search.get(PARAMS.target) !== toTargetKey(target)) return undefined;
  const amount = search.get(PARAMS.amount) ?? '';
  return findPendingTip(target) ?? (/^\d{1,6}(?:\.\d{1,2})?$/.test(amount) ? toDraft(amount) : undefined);
}

const toDraft = (amount: string): TipDraft => ({ selected: Number(amount), customAmount: amount, note: '' });

export function deletePendingTip(target: TipTarget): void {
  if (findPendingTip(target)) sessionStore.removeItem(STORAGE_KEY);
}

/**
 * A call for which the fan first adds funds. It is stored in the tab, and the page to which the fan returns opens the call
 * set-up again. The address alone opens nothing, because the set-up turns on the camera.
 */
import { CALL_KINDS, type CallKind } from '@stagedoor/contract/messaging/call-states.ts';
import { buildAddress, parseOption } from '../../../platform/address.ts';
import { sessionStore } from '../../../platform/browser-storage.ts';
import type { CallableUser } from './open-call.ts';

export type PendingCall = { creator: CallableUser; kind: CallKind };

const STORAGE_KEY = 'pendingCall';
const RESUME_PARAM = 'call';

/** Returns the address of the page that opens the set-up again. */
export function resumeCallHref(pathname: string, search: string): string {
  return buildAddress(pathname, new URLSearchParams(search), { [RESUME_PARAM]: 'resume' });
}

export const isCallResumed = (search: URLSearchParams): boolean => search.get(RESUME_PARAM) === 'resume';

export function removeResumeParam(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(RESUME_PARAM);
  return next;
}

export function savePendingCall({ creator: { id, username, name, avatarUrl }, kind }: PendingCall): void {
  sessionStore.setItem(STORAGE_KEY, JSON.stringify({ id, username, name, avatarUrl, kind }));
}

/** Returns the call that waits in this tab and forgets it. */
export function takePendingCall(): PendingCall | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStore.getItem(STORAGE_KEY) ?? 'null');
    sessionStore.removeItem(STORAGE_KEY);
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { id, username, name, avatarUrl, kind } = { ...stored } as Partial<Record<string, unknown>>;
    const callKind = parseOption(CALL_KINDS, typeof kind === 'string' ? kind : null);
    if (typeof id !== 'string' || typeof username !== 'string' || typeof name !== 'string' || !callKind)
      return undefined;
    const creator = { id, username, name, avatarUrl: typeof avatarUrl === 'string' ? avatarUrl : null };
    return { creator, kind: callKind };
  } catch {
    return undefined;
  }
}

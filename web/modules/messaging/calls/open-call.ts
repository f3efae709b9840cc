/** Entry points to calls for other modules. The code of calls is loaded on the first press. */
import type { CallKind } from '@stagedoor/contract/messaging/call-states.ts';
import { loadWhenReachable } from '../../../platform/lazy-part.ts';

export type CallableUser = { id: string; username: string; name: string; avatarUrl: string | null };

const loadSession = () => loadWhenReachable(() => import('./session.ts'));

export async function openCallReceipt(callLogId: string): Promise<void> {
  (await loadSession()).dispatchCallAction({ type: 'receipt', callLogId });
}

export async function openCallCheck({ id, username, name, avatarUrl }: CallableUser, kind: CallKind): Promise<void> {
  (await loadSession()).openDeviceCheck({ creatorId: id, username, name, avatarUrl }, kind);
}

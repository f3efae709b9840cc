/** Entry points to calls for other features. The code of calls is loaded on the first press. */
import type { CallKind } from '@stagedoor/contract/call-states.ts';
import { whenReachable } from '../../kernel/lazy-part.ts';

export type Callable = { id: string; username: string; name: string; avatarUrl: string | null };

const session = () => whenReachable(() => import('./session.ts'));

export async function openReceipt(callLogId: string): Promise<void> {
  (await session()).happen({ type: 'receipt', callLogId });
}

export async function openCheck({ id, username, name, avatarUrl }: Callable, kind: CallKind): Promise<void> {
  (await session()).checkBeforeCall({ creatorId: id, username, name, avatarUrl }, kind);
}

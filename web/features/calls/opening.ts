/** From elsewhere to the parts of calls, which come with the press. */
import type { CallKind } from '@stagedoor/contract/call-states.ts';
import { whenReachable } from '../../kernel/lazy-part.ts';

/** Whom one may call. */
export type Callable = { id: string; username: string; name: string; avatarUrl: string | null };

const session = () => whenReachable(() => import('./session.ts'));

export async function openReceipt(callLogId: string): Promise<void> {
  (await session()).happen({ type: 'receipt', callLogId });
}

/** The check before a call. */
export async function openCheck({ id, username, name, avatarUrl }: Callable, kind: CallKind): Promise<void> {
  (await session()).checkBeforeCall({ creatorId: id, username, name, avatarUrl }, kind);
}

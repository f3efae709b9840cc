/** What calls are given by the page around them, since features do not know each other: the way to tip, and the thread beside a call. */
import type { Side } from '@stagedoor/contract/messages.ts';
import { type ComponentType, createContext, use } from 'react';

/** `act`: a square among the controls of a running call; `words`: a button that says what it does. */
export type TipProps = { creatorId: string; creatorName: string; username: string; look: 'act' | 'words' };

export type CallParts = {
  side: Side;
  viewerId: string;
  Tip: ComponentType<TipProps>;
  /** The conversation with somebody. */
  Thread: ComponentType<{ personId: string }>;
  /** Open as soon as it is there: reports a call with somebody. */
  Report: ComponentType<{ personId: string; callLogId: string; onClose: () => void }>;
  /** Asks before it blocks somebody. */
  Block: ComponentType<{ personId: string; name: string; onClose: (isBlocked: boolean) => void }>;
};

export const CallPartsContext = createContext<CallParts | undefined>(undefined);

export function useCallParts(): CallParts {
  const parts = use(CallPartsContext);
  if (!parts) throw new Error('calls need their page around them');
  return parts;
}

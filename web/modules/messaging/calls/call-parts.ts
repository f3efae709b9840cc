/** Components that the page provides to calls, because modules do not import each other. */
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { type ComponentType, createContext, use } from 'react';

export type CallTipProps = { creatorId: string; creatorName: string; username: string; variant: 'icon' | 'text' };

export type CallParts = {
  side: ChatSide;
  viewerId: string;
  Tip: ComponentType<CallTipProps>;
  Thread: ComponentType<{ userId: string }>;
  Report: ComponentType<{ userId: string; callLogId: string; onClose: () => void }>;
  Block: ComponentType<{ userId: string; name: string; onClose: (isBlocked: boolean) => void }>;
};

export const CallPartsContext = createContext<CallParts | undefined>(undefined);

export function useCallParts(): CallParts {
  const parts = use(CallPartsContext);
  if (!parts) throw new Error('calls need their page around them');
  return parts;
}

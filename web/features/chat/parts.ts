/** Components that the page provides to chat, because features do not import each other. */
import type { Media } from '@stagedoor/contract/media.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import type { PostMedia } from '@stagedoor/contract/pictures.ts';
import { type ComponentType, createContext, type ReactNode, useContext } from 'react';

export type OpenMedia = Extract<PostMedia, { isLocked: false }>;

export type PlayerProps = {
  media: Pick<OpenMedia, 'id' | 'kind' | 'durationSeconds' | 'picture' | 'stream'>;
  title: string;
  artist: string;
  ratio: string;
  isCompact?: boolean;
};

export type TipProps = { creatorId: string; creatorName: string; returnTo: string; hasWord?: boolean };

export type LibraryProps = {
  most: number;
  onOpenChange: (isOpen: boolean) => void;
  onAdd: (uploads: readonly Media[]) => void;
};

export type ReportProps = { userId: string; messageId: string; onClose: () => void };

export type CallPerson = { id: string; username: string; name: string; avatarUrl: string | null };

export type SeemsProps = {
  person: Pick<CallPerson, 'id' | 'name'>;
  among?: readonly { customer: { id: string } }[] | undefined;
  children?: ReactNode;
};

export type ChatParts = {
  viewerId: string;
  side: Side;
  /** False for team members who act on the creator's behalf. Some settings are for the owner only. */
  isOwner: boolean;
  base: string;
  rendered: string;
  Player: ComponentType<PlayerProps>;
  Tip: ComponentType<TipProps>;
  Library: ComponentType<LibraryProps>;
  /** Shows the creator's share of a price in USD. */
  YouGet: ComponentType<{ price: number }>;
  Report: ComponentType<ReportProps>;
  ReportPerson: ComponentType<{ person: Pick<CallPerson, 'id' | 'name'> }>;
  Calls: ComponentType;
  missedCount: number;
  CallButtons: ComponentType<{ person: CallPerson }>;
  CallRate: ComponentType<{ person: CallPerson }>;
  /**
   * Hints for a creator about a fan, such as possible ban evasion. Usually empty. In the request list it replaces
   * `children`.
   */
  Seems: ComponentType<SeemsProps>;
  openReceipt: (callLogId: string) => void;
  openViewer: (mediaId: string) => void;
};

export const PartsContext = createContext<ChatParts | undefined>(undefined);

export function useParts(): ChatParts {
  const parts = useContext(PartsContext);
  if (!parts) throw new Error('chat needs its page around it');
  return parts;
}

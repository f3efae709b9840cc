/** What chat is given by its page, since features do not know each other: the player, the viewer, the way to tip. */
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

/** `hasWord`: a button that says what it does, where it stands alone. */
export type TipProps = { creatorId: string; creatorName: string; returnTo: string; hasWord?: boolean };

/** Open as soon as it is there; chooses at most so many uploads that may be sent. */
export type LibraryProps = {
  most: number;
  onOpenChange: (isOpen: boolean) => void;
  onAdd: (uploads: readonly Media[]) => void;
};

export type ReportProps = { userId: string; messageId: string; onClose: () => void };

export type CallPerson = { id: string; username: string; name: string; avatarUrl: string | null };

/** `among`: the list in which they stand. */
export type SeemsProps = {
  person: Pick<CallPerson, 'id' | 'name'>;
  among?: readonly { customer: { id: string } }[] | undefined;
  children?: ReactNode;
};

export type ChatParts = {
  viewerId: string;
  side: Side;
  /** Nobody who acts for the creator: what is the owner's alone is there. */
  isOwner: boolean;
  /** `/fan/chat` or `/creator/chat`. */
  base: string;
  /** When the server made the page. */
  rendered: string;
  Player: ComponentType<PlayerProps>;
  Tip: ComponentType<TipProps>;
  Library: ComponentType<LibraryProps>;
  /** What of a price in USD is the creator's, in a line. */
  YouGet: ComponentType<{ price: number }>;
  /** Open as soon as it is there: reports a message of somebody’s. */
  Report: ComponentType<ReportProps>;
  /** A button that reports a person. */
  ReportPerson: ComponentType<{ person: Pick<CallPerson, 'id' | 'name'> }>;
  /** The calls of the viewer. */
  Calls: ComponentType;
  /** How many missed calls are new. */
  missedCount: number;
  /** Buttons that call somebody; nothing for whom one cannot call. */
  CallButtons: ComponentType<{ person: CallPerson }>;
  /** What a minute of it costs, where the buttons have no room for it. */
  CallRate: ComponentType<{ person: CallPerson }>;
  /** What a creator is to know of a fan before they answer; nothing of most. Among requests it takes the place of `children`. */
  Seems: ComponentType<SeemsProps>;
  /** Opens the receipt of a call. */
  openReceipt: (callLogId: string) => void;
  /** Opens what can be seen in the thread, full screen. */
  openViewer: (mediaId: string) => void;
};

export const PartsContext = createContext<ChatParts | undefined>(undefined);

export function useParts(): ChatParts {
  const parts = useContext(PartsContext);
  if (!parts) throw new Error('chat needs its page around it');
  return parts;
}

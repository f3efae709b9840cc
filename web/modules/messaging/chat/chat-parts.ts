/** Components that the page provides to chat, because modules do not import each other. */
import type { Media } from '@stagedoor/contract/content/media.ts';
import type { PostMedia } from '@stagedoor/contract/content/pictures.ts';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { type ComponentType, createContext, type ReactNode, useContext } from 'react';

export type UnlockedPostMedia = Extract<PostMedia, { isLocked: false }>;

export type ChatPlayerProps = {
  media: Pick<UnlockedPostMedia, 'id' | 'kind' | 'durationSeconds' | 'picture' | 'stream'>;
  title: string;
  artist: string;
  ratio: string;
  isCompact?: boolean;
};

export type ChatTipProps = { creatorId: string; creatorName: string; returnTo: string; hasLabel?: boolean };

export type ChatLibraryProps = {
  max: number;
  onOpenChange: (isOpen: boolean) => void;
  onAdd: (uploads: readonly Media[]) => void;
};

export type MessageReportProps = { userId: string; messageId: string; onClose: () => void };

export type ChatUser = { id: string; username: string; name: string; avatarUrl: string | null };

export type ChatBanEvasionHintProps = {
  user: Pick<ChatUser, 'id' | 'name'>;
  conversations?: readonly { customer: { id: string } }[] | undefined;
  children?: ReactNode;
};

export type ChatParts = {
  viewerId: string;
  side: ChatSide;
  /** False for team members who act on the creator's behalf. Some settings are for the owner only. */
  isOwner: boolean;
  base: string;
  rendered: string;
  Player: ComponentType<ChatPlayerProps>;
  Tip: ComponentType<ChatTipProps>;
  Library: ComponentType<ChatLibraryProps>;
  /** Shows the creator's share of a price in USD. */
  CreatorShare: ComponentType<{ price: number }>;
  Report: ComponentType<MessageReportProps>;
  ReportUser: ComponentType<{ user: Pick<ChatUser, 'id' | 'name'> }>;
  Calls: ComponentType;
  missedCount: number;
  CallButtons: ComponentType<{ user: ChatUser }>;
  CallRate: ComponentType<{ user: ChatUser }>;
  /**
   * Hints for a creator about a fan, such as possible ban evasion. Usually empty. In the request list it replaces
   * `children`.
   */
  BanEvasionHint: ComponentType<ChatBanEvasionHintProps>;
  openReceipt: (callLogId: string) => void;
  openViewer: (mediaId: string) => void;
};

export const ChatPartsContext = createContext<ChatParts | undefined>(undefined);

export function useChatContext(): ChatParts {
  const parts = useContext(ChatPartsContext);
  if (!parts) throw new Error('chat needs its page around it');
  return parts;
}

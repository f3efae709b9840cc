import type { libraryItem } from '@stagedoor/contract/content/media.ts';
import type * as z from 'zod/mini';
import * as texts from './texts.ts';

export type LibraryItem = z.output<typeof libraryItem>;

/** Where a file of the library is used already. `isTaken`: it cannot be used again. */
export type LibraryUse = { label: string; isTaken: boolean };

/** A file can be in one post only. `draftId` is the draft that is being written. */
export function findOtherUseOfDraftFile(
  { media, postId, draftIds }: LibraryItem,
  draftId: string | undefined,
): LibraryUse | undefined {
  if (postId !== null) return { label: texts.inAPost, isTaken: true };
  if (media.isUsed) return { label: texts.sentInChat, isTaken: true };
  return draftIds.some((id) => id !== draftId) ? { label: texts.inAnotherDraft, isTaken: false } : undefined;
}

/** A file that is sent can be sent again, but no draft that contains it can be published then. */
export function findOtherUseOfChatFile({ draftIds }: LibraryItem): LibraryUse | undefined {
  return draftIds.length > 0 ? { label: texts.inADraft, isTaken: false } : undefined;
}

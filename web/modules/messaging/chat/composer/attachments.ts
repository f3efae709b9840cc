/**
 * Files, price and voice recording of unsent messages per conversation. They are stored in memory, so that they survive
 * leaving the conversation but not a reload. A message that waits for its files is sent although its conversation was
 * left.
 */
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useSyncExternalStore } from 'react';
import { showToast } from '../../../../platform/feedback.ts';
import { blockReloadWhile } from '../../../../platform/reload-guard.ts';
import { onSignal } from '../../../../platform/signals.ts';
import type { OutboxFile } from '../outbox/queue.ts';
import * as texts from '../texts.ts';
import type { VoiceRecording } from './use-recorder.ts';

export type ComposerFile = Pick<OutboxFile, 'key' | 'name' | 'kind' | 'mediaId'> & {
  /** Undefined while the file is being prepared. */
  prepared: OutboxFile | undefined;
};
export type FileRequest = Pick<OutboxFile, 'name' | 'kind' | 'mediaId'> & {
  prepare: () => Promise<OutboxFile | { refusal: string }>;
};
export type Attachments = {
  files: readonly ComposerFile[];
  /** As it was typed. */
  price: string;
  isViewOnce: boolean;
  /** A finished recording that was not sent, because its recipient or time was refused or the conversation was left. */
  voice: VoiceRecording | undefined;
  /** Send was pressed while files were being prepared. */
  isWaiting: boolean;
};

const NO_ATTACHMENTS: Attachments = { files: [], price: '', isViewOnce: false, voice: undefined, isWaiting: false };

type Conversation = {
  attachments: Attachments;
  /** Increases with every chosen file that could not be added. */
  refusalCount: number;
  refusalCountBeforeWait: number;
  /** Sends the message. False if it was refused. */
  send: () => boolean;
  isShown: boolean;
};
const conversations = new Map<string, Conversation>();
const listeners = new Set<() => void>();

function getConversation(key: string): Conversation {
  const known = conversations.get(key);
  if (known) return known;
  const created: Conversation = {
    attachments: NO_ATTACHMENTS,
    refusalCount: 0,
    refusalCountBeforeWait: 0,
    send: () => false,
    isShown: false,
  };
  conversations.set(key, created);
  return created;
}

const arePreparing = ({ files }: Attachments) => files.some(({ prepared }) => !prepared);

export function getAttachments(key: string): Attachments {
  return conversations.get(key)?.attachments ?? NO_ATTACHMENTS;
}

export function changeAttachments(key: string, change: Partial<Attachments>): void {
  const conversation = getConversation(key);
  conversation.attachments = { ...conversation.attachments, ...change };
  for (const listener of listeners) listener();
}

export function clearFiles(key: string): void {
  const { voice } = getAttachments(key);
  changeAttachments(key, { ...NO_ATTACHMENTS, voice });
}

/** Sends a waiting message when none of its files is being prepared any more. */
function sendIfReady(key: string): void {
  const { attachments, refusalCount, refusalCountBeforeWait, send, isShown } = getConversation(key);
  if (!attachments.isWaiting || arePreparing(attachments)) return;
  changeAttachments(key, { isWaiting: false });
  // Without a file that was refused, the message may not be what the user wanted to send.
  const isSent = refusalCount === refusalCountBeforeWait && send();
  if (!isSent && !isShown) void showToast(texts.messageStaysInChat, 'info');
}

/** Returns false if all files are ready, so that the message can be sent now. */
export function waitForFiles(key: string): boolean {
  const conversation = getConversation(key);
  if (!arePreparing(conversation.attachments)) return false;
  conversation.refusalCountBeforeWait = conversation.refusalCount;
  changeAttachments(key, { isWaiting: true });
  return true;
}

/** Adds files up to the limit of a message. They are listed immediately, while they are being prepared. */
export async function addFiles(key: string, requests: readonly FileRequest[], refusals: readonly string[] = []) {
  const conversation = getConversation(key);
  const { files } = conversation.attachments;
  const knownMediaIds = new Set(files.flatMap(({ mediaId }) => mediaId ?? []));
  const newRequests = requests.filter(({ mediaId }) => mediaId === undefined || !knownMediaIds.has(mediaId));
  const freeSlots = Math.max(0, CHAT_LIMITS.files - files.length);
  const added = newRequests.slice(0, freeSlots).map((request) => ({ ...request, key: crypto.randomUUID() }));
  for (const refusal of refusals) void showToast(refusal, 'error');
  if (newRequests.length > freeSlots)
    void showToast(formatText(texts.attachmentLimit, { fileCount: CHAT_LIMITS.files }), 'error');
  conversation.refusalCount += refusals.length + newRequests.length - added.length;
  const listed = added.map(({ prepare: _, ...file }): ComposerFile => ({ ...file, prepared: undefined }));
  changeAttachments(key, { files: [...files, ...listed] });
  await Promise.all(added.map((request) => prepareListed(key, request)));
}

async function prepareListed(key: string, { key: fileKey, prepare }: FileRequest & { key: string }): Promise<void> {
  const result = await prepare().catch(() => ({ refusal: texts.mediaLibraryError }));
  const conversation = conversations.get(key);
  // The user may have removed the file or logged out meanwhile.
  if (!conversation?.attachments.files.some((file) => file.key === fileKey)) return;
  if ('refusal' in result) {
    conversation.refusalCount += 1;
    void showToast(result.refusal, 'error');
    removeFile(key, fileKey);
    return;
  }
  const prepared = { ...result, key: fileKey };
  changeAttachments(key, {
    files: conversation.attachments.files.map((file) => (file.key === fileKey ? { ...file, prepared } : file)),
  });
  sendIfReady(key);
}

export function removeFile(key: string, fileKey: string): void {
  changeAttachments(key, { files: getAttachments(key).files.filter((file) => file.key !== fileKey) });
  sendIfReady(key);
}

/** Registers how the message is sent. It stays registered after the composer was left. Returns what to call then. */
export function registerSend(key: string, send: () => boolean): () => void {
  const conversation = getConversation(key);
  Object.assign(conversation, { send, isShown: true });
  return () => {
    conversation.isShown = false;
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useAttachments(key: string): Attachments {
  return useSyncExternalStore(
    subscribe,
    () => getAttachments(key),
    () => NO_ATTACHMENTS,
  );
}

// The draft text survives a reload, files and recordings do not.
blockReloadWhile(() =>
  [...conversations.values()].some(({ attachments: { files, voice } }) => files.length > 0 || voice !== undefined),
);
onSignal('leaving', () => conversations.clear());

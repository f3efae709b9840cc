/**
 * Sends one outbox entry: texts as JSON, pictures and videos by resumable upload and ID, documents and voice notes as a
 * form. The client ID makes retries idempotent.
 */

import { broadcastMedia, broadcastMediaMessage, broadcastText } from '@stagedoor/contract/messaging/broadcasts.ts';
import { sendMedia, sendMediaMessage, sendText } from '@stagedoor/contract/messaging/chat.ts';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/shared/route.ts';
import { ApiError } from '../../../../platform/api-error.ts';
import { api } from '../../../../platform/mutation.ts';
import { uploadForm } from '../../../../platform/upload-form.ts';
import type { SendEntry } from './outbox.ts';
import type { MessageTarget, OutboxEntry } from './queue.ts';
import { uploadByTus } from './upload.ts';

type ProgressCallback = (done: number) => void;

function callRoute<R extends RouteSpec>(
  route: R,
  request: RequestOf<R>,
  entry: OutboxEntry,
  signal: AbortSignal,
): Promise<ResponseOf<R>> {
  return api(route, request, { showErrorMessage: false, operationId: entry.clientId, signal });
}

function toRecipient(target: Exclude<MessageTarget, { kind: 'broadcast' }>) {
  return target.kind === 'user' ? { receiverId: target.id } : { conversationId: target.id };
}

function toAudience({
  audience,
  tierId,
  conversationIds,
  excludeBuyers,
  scheduledAt,
}: Extract<MessageTarget, { kind: 'broadcast' }>) {
  return {
    audience,
    conversationIds: [...conversationIds],
    excludeBuyers,
    ...(tierId && { tierId }),
    ...(scheduledAt && { scheduledAt }),
  };
}

function getFirst(messages: readonly Message[]): Message {
  const [message] = messages;
  if (!message) throw new ApiError('INTERNAL', 'Broadcast sent. It will appear here shortly.', { status: 500 });
  return message;
}

async function sendTextEntry(entry: OutboxEntry, signal: AbortSignal): Promise<Message> {
  const { target, clientId, text } = entry;
  if (target.kind === 'broadcast')
    return getFirst(
      (await callRoute(broadcastText, { body: { ...toAudience(target), clientId, text } }, entry, signal)).messageList,
    );
  return (await callRoute(sendText, { body: { ...toRecipient(target), clientId, text } }, entry, signal)).data;
}

async function uploadFiles(
  entry: OutboxEntry,
  signal: AbortSignal,
  progress: ProgressCallback,
  saveProgress: (entry: OutboxEntry) => Promise<void>,
) {
  const total = entry.files.reduce((sum, { blob }) => sum + blob.size, 0) || 1;
  let current = entry;
  let done = 0;
  for (const file of entry.files) {
    if (!file.mediaId) {
      const before = done;
      const mediaId = await uploadByTus(file, `${entry.clientId}:${file.key}`, signal, (bytes) =>
        progress((before + bytes) / total),
      );
      current = {
        ...current,
        files: current.files.map((each) => (each.key === file.key ? { ...each, mediaId } : each)),
      };
      await saveProgress(current);
    }
    done += file.blob.size;
    progress(done / total);
  }
  return current;
}

async function sendMediaEntry(
  entry: OutboxEntry,
  { signal, progress, saveProgress }: Parameters<SendEntry>[1],
): Promise<Message> {
  const uploadedEntry = await uploadFiles(entry, signal, progress, saveProgress);
  const { target, clientId, text, price, isViewOnce } = uploadedEntry;
  const mediaIds = uploadedEntry.files.flatMap(({ mediaId }) => (mediaId ? [mediaId] : []));
  const body = { clientId, text, price, isViewOnce, mediaIds };
  if (target.kind === 'broadcast')
    return getFirst(
      (await callRoute(broadcastMedia, { body: { ...toAudience(target), ...body } }, entry, signal)).messageList,
    );
  return (await callRoute(sendMedia, { body: { ...toRecipient(target), ...body } }, entry, signal)).data;
}

function toFormData(entry: OutboxEntry): FormData {
  const { target, clientId, text, price, isViewOnce, voice, files } = entry;
  const form = new FormData();
  if (target.kind === 'conversation') form.set('conversationId', target.id);
  else if (target.kind === 'user') form.set('receiverId', target.id);
  else {
    form.set('audience', target.audience);
    form.set('conversationIds', JSON.stringify(target.conversationIds));
    form.set('excludeBuyers', String(target.excludeBuyers));
    if (target.tierId) form.set('tierId', target.tierId);
    if (target.scheduledAt) form.set('scheduledAt', target.scheduledAt);
  }
  form.set('clientId', clientId);
  if (text) form.set('text', text);
  if (price > 0) form.set('price', String(price));
  if (isViewOnce) form.set('isViewOnce', 'true');
  if (voice) {
    form.set('durationSeconds', String(voice.durationSeconds));
    form.set('waveform', JSON.stringify(voice.waveform));
  }
  for (const file of files) form.append('file', file.blob, file.name);
  return form;
}

async function sendFormEntry(entry: OutboxEntry, signal: AbortSignal, progress: ProgressCallback): Promise<Message> {
  const isBroadcast = entry.target.kind === 'broadcast';
  const options = { operationId: entry.clientId, signal, progress };
  if (isBroadcast)
    return getFirst((await uploadForm(broadcastMediaMessage, {}, toFormData(entry), options)).messageList);
  return (await uploadForm(sendMediaMessage, {}, toFormData(entry), options)).data;
}

export const sendEntry: SendEntry = (entry, context) => {
  const [first] = entry.files;
  if (!first) return sendTextEntry(entry, context.signal);
  return first.kind === 'picture' || first.kind === 'video'
    ? sendMediaEntry(entry, context)
    : sendFormEntry(entry, context.signal, context.progress);
};

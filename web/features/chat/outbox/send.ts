/**
 * Sends one outbox entry: texts as JSON, pictures and videos by resumable upload and ID, documents and voice notes as a
 * form. The client ID makes retries idempotent.
 */
import type { RequestOf, ResponseOf, RouteSpec } from '@stagedoor/contract/atoms/route.ts';
import { broadcastMedia, broadcastMediaMessage, broadcastText } from '@stagedoor/contract/broadcasts.ts';
import { sendMedia, sendMediaMessage, sendText } from '@stagedoor/contract/chat.ts';
import type { Message } from '@stagedoor/contract/messages.ts';
import { ApiError } from '../../../kernel/api-error.ts';
import { api } from '../../../kernel/mutation.ts';
import { postForm } from '../../../kernel/post-form.ts';
import type { Send } from './outbox.ts';
import type { Entry, Target } from './queue.ts';
import { uploadFile } from './upload.ts';

type Progress = (done: number) => void;

function call<R extends RouteSpec>(
  route: R,
  request: RequestOf<R>,
  entry: Entry,
  signal: AbortSignal,
): Promise<ResponseOf<R>> {
  return api(route, request, { showErrorMessage: false, operationId: entry.clientId, signal });
}

function addressOf(target: Exclude<Target, { kind: 'broadcast' }>) {
  return target.kind === 'person' ? { receiverId: target.id } : { conversationId: target.id };
}

function audienceOf({ audience, conversationIds, excludeBuyers, scheduledAt }: Extract<Target, { kind: 'broadcast' }>) {
  return { audience, conversationIds: [...conversationIds], excludeBuyers, ...(scheduledAt && { scheduledAt }) };
}

function firstOf(messages: readonly Message[]): Message {
  const [message] = messages;
  if (!message) throw new ApiError('INTERNAL', 'Broadcast sent. It will appear here shortly.', { status: 500 });
  return message;
}

async function asText(entry: Entry, signal: AbortSignal): Promise<Message> {
  const { target, clientId, text } = entry;
  if (target.kind === 'broadcast')
    return firstOf(
      (await call(broadcastText, { body: { ...audienceOf(target), clientId, text } }, entry, signal)).messageList,
    );
  return (await call(sendText, { body: { ...addressOf(target), clientId, text } }, entry, signal)).data;
}

async function uploaded(entry: Entry, signal: AbortSignal, progress: Progress, note: (entry: Entry) => Promise<void>) {
  const total = entry.files.reduce((sum, { blob }) => sum + blob.size, 0) || 1;
  let current = entry;
  let done = 0;
  for (const file of entry.files) {
    if (!file.mediaId) {
      const before = done;
      const mediaId = await uploadFile(file, `${entry.clientId}:${file.key}`, signal, (bytes) =>
        progress((before + bytes) / total),
      );
      current = {
        ...current,
        files: current.files.map((each) => (each.key === file.key ? { ...each, mediaId } : each)),
      };
      await note(current);
    }
    done += file.blob.size;
    progress(done / total);
  }
  return current;
}

async function asMedia(entry: Entry, { signal, progress, note }: Parameters<Send>[1]): Promise<Message> {
  const ready = await uploaded(entry, signal, progress, note);
  const { target, clientId, text, price, isViewOnce } = ready;
  const mediaIds = ready.files.flatMap(({ mediaId }) => (mediaId ? [mediaId] : []));
  const body = { clientId, text, price, isViewOnce, mediaIds };
  if (target.kind === 'broadcast')
    return firstOf(
      (await call(broadcastMedia, { body: { ...audienceOf(target), ...body } }, entry, signal)).messageList,
    );
  return (await call(sendMedia, { body: { ...addressOf(target), ...body } }, entry, signal)).data;
}

function formOf(entry: Entry): FormData {
  const { target, clientId, text, price, isViewOnce, voice, files } = entry;
  const form = new FormData();
  if (target.kind === 'conversation') form.set('conversationId', target.id);
  else if (target.kind === 'person') form.set('receiverId', target.id);
  else {
    form.set('audience', target.audience);
    form.set('conversationIds', JSON.stringify(target.conversationIds));
    form.set('excludeBuyers', String(target.excludeBuyers));
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

async function asForm(entry: Entry, signal: AbortSignal, progress: Progress): Promise<Message> {
  const isBroadcast = entry.target.kind === 'broadcast';
  const more = { operationId: entry.clientId, signal, progress };
  if (isBroadcast) return firstOf((await postForm(broadcastMediaMessage, {}, formOf(entry), more)).messageList);
  return (await postForm(sendMediaMessage, {}, formOf(entry), more)).data;
}

export const sendEntry: Send = (entry, more) => {
  const [first] = entry.files;
  if (!first) return asText(entry, more.signal);
  return first.kind === 'picture' || first.kind === 'video'
    ? asMedia(entry, more)
    : asForm(entry, more.signal, more.progress);
};

/** Turns composed content into outbox entries: one message for each group of files, the text with the first. */
import { useCallback } from 'react';
import { showToast } from '../../../../platform/feedback.ts';
import { useChatContext } from '../chat-parts.ts';
import { groupFiles } from '../composer/prepare-files.ts';
import type { ComposedMessage } from '../composer/use-composer.ts';
import * as texts from '../texts.ts';
import { type MessageTarget, type OutboxEntry, type OutboxFile, toThreadKey } from './queue.ts';
import { useOutbox } from './use-outbox.ts';

/** Increases with every message, also within one millisecond. */
let lastOrder = 0;

function createOrder(): number {
  lastOrder = Math.max(lastOrder + 1, Date.now());
  return lastOrder;
}

function toVoiceFile({ blob, name }: { blob: Blob; name: string }): OutboxFile {
  return { key: crypto.randomUUID(), name, type: blob.type, kind: 'voice', blob, width: 0, height: 0 };
}

export function createEntries(
  userId: string,
  target: MessageTarget,
  composed: ComposedMessage,
  now: Date,
): OutboxEntry[] {
  const { text, files, price, isViewOnce, voice } = composed;
  const groups = voice ? [[toVoiceFile(voice)]] : groupFiles(files);
  const parts = groups.length > 0 ? groups : [[]];
  return parts.map((group, index) => ({
    clientId: crypto.randomUUID(),
    userId,
    thread: toThreadKey(target),
    target,
    text: index === 0 ? text : '',
    price: group.length > 0 ? price : 0,
    isViewOnce: group.length > 0 && isViewOnce,
    files: group,
    voice: voice && { durationSeconds: voice.durationSeconds, waveform: voice.waveform },
    createdAt: now.toISOString(),
    order: createOrder(),
    state: 'waiting',
    failure: undefined,
  }));
}

export function useSend(): (target: MessageTarget, composed: ComposedMessage) => boolean {
  const outbox = useOutbox();
  const { viewerId } = useChatContext();
  return useCallback(
    (target, composed) => {
      if (!outbox) return false;
      const add = async () => {
        for (const entry of createEntries(viewerId, target, composed, new Date())) await outbox.add(entry);
      };
      add().catch(() => void showToast(texts.saveMessageError, 'error'));
      return true;
    },
    [outbox, viewerId],
  );
}

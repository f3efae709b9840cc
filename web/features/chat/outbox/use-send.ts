/** Turns composed content into outbox entries: one message for each group of files, the text with the first. */
import { useCallback } from 'react';
import { showToast } from '../../../kernel/outcome.ts';
import { groupsOf } from '../composer/attach.ts';
import type { Written } from '../composer/composer.tsx';
import { useParts } from '../parts.ts';
import { type Entry, type OutFile, type Target, threadOf } from './queue.ts';
import { useOutbox } from './use-outbox.ts';

/** Increases with every message, also within one millisecond. */
let lastOrder = 0;

function nextOrder(): number {
  lastOrder = Math.max(lastOrder + 1, Date.now());
  return lastOrder;
}

function voiceFile({ blob, name }: { blob: Blob; name: string }): OutFile {
  return { key: crypto.randomUUID(), name, type: blob.type, kind: 'voice', blob, width: 0, height: 0 };
}

export function entriesOf(userId: string, target: Target, written: Written, now: Date): Entry[] {
  const { text, files, price, isViewOnce, voice } = written;
  const groups = voice ? [[voiceFile(voice)]] : groupsOf(files);
  const parts = groups.length > 0 ? groups : [[]];
  return parts.map((group, index) => ({
    clientId: crypto.randomUUID(),
    userId,
    thread: threadOf(target),
    target,
    text: index === 0 ? text : '',
    price: group.length > 0 ? price : 0,
    isViewOnce: group.length > 0 && isViewOnce,
    files: group,
    voice: voice && { durationSeconds: voice.durationSeconds, waveform: voice.waveform },
    createdAt: now.toISOString(),
    order: nextOrder(),
    state: 'waiting',
    failure: undefined,
  }));
}

export function useSend(): (target: Target, written: Written) => boolean {
  const outbox = useOutbox();
  const { viewerId } = useParts();
  return useCallback(
    (target, written) => {
      if (!outbox) return false;
      const add = async () => {
        for (const entry of entriesOf(viewerId, target, written, new Date())) await outbox.add(entry);
      };
      add().catch(() => void showToast('Couldn’t save the message on this device. Try again.', 'error'));
      return true;
    },
    [outbox, viewerId],
  );
}

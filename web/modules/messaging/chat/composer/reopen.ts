import type { OutboxEntry } from '../outbox/queue.ts';
import { addFiles, changeAttachments } from './attachments.ts';
import { readDraft, writeDraft } from './drafts.ts';

/** Moves the content of a message that cannot be sent as it is back into the composer, to what is there already. */
export async function reopenEntry(key: string, entry: OutboxEntry): Promise<void> {
  const { text, files, price, isViewOnce, voice } = entry;
  const [first] = files;
  if (voice && first) {
    const { blob, name } = first;
    changeAttachments(key, { voice: { blob, name, ...voice, waveform: [...voice.waveform] } });
    return;
  }
  writeDraft(key, [readDraft(key).trim(), text].filter(Boolean).join('\n'));
  if (files.length === 0) return;
  changeAttachments(key, { isViewOnce, price: price > 0 ? String(price) : '' });
  await addFiles(
    key,
    files.map((file) => ({ ...file, prepare: async () => file })),
  );
}

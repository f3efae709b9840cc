import { readHandle } from './handles.ts';
import { type Item, itemOfFile } from './items.ts';
import { rememberedUploads, type Unfinished } from './unfinished.ts';

export type Restored = { item: Item; origin: Unfinished; file: File | undefined };

async function offsetOf(url: string | null): Promise<number | undefined> {
  if (url === null) return undefined;
  const answer = await fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
  return answer.ok ? Number(answer.headers.get('upload-offset')) : undefined;
}

async function restoreOne(record: Unfinished): Promise<Restored> {
  const [sent, file] = await Promise.all([offsetOf(record.url).catch(() => 0), readHandle(record.key, false)]);
  const origin = sent === undefined ? { ...record, url: null } : record;
  const shown = { name: record.name, size: record.byteSize, type: record.type };
  const item: Item = {
    ...itemOfFile(record.key, shown, ''),
    alt: record.alt,
    sent: sent ?? 0,
    state: file ? 'waiting' : 'lost',
  };
  const isComplete = sent === record.byteSize && record.url !== null;
  if (!isComplete) return { item, origin, file };
  const mediaId = record.url?.split('/').at(-1);
  return { item: { ...item, state: 'processing', mediaId }, origin, file: undefined };
}

async function sentElsewhere(): Promise<ReadonlySet<string | undefined>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name));
}

/** The lock of an uploading page, so that another page with the same draft does not upload the file too. */
export const lockOf = (key: string): string => `unfinished-upload:${key}`;

/** Returns uploads in the order of the list. Skips those of other drafts and those that another page is sending. */
export async function restore(of: { ownerId: string; draftId: string }): Promise<Restored[]> {
  const elsewhere = await sentElsewhere();
  const records = rememberedUploads(localStorage, of.ownerId, Date.now()).filter(
    ({ draftId, key }) => draftId === of.draftId && !elsewhere.has(lockOf(key)),
  );
  return Promise.all(records.map(restoreOne));
}

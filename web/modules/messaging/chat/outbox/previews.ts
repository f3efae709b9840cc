import { useState } from 'react';
import type { OutboxFile } from './queue.ts';

export type FilePreview = { key: string; url: string; kind: 'picture' | 'video'; width: number; height: number };

const previewsByEntry = new Map<string, FilePreview[]>();

export function createPreviews(clientId: string, files: readonly OutboxFile[]): FilePreview[] {
  const existing = previewsByEntry.get(clientId);
  if (existing) return existing;
  const created = files.flatMap(({ key, kind, blob, width, height }) =>
    kind === 'picture' || kind === 'video' ? [{ key, url: URL.createObjectURL(blob), kind, width, height }] : [],
  );
  if (created.length > 0) previewsByEntry.set(clientId, created);
  return created;
}

export function getPreviews(clientId: string): FilePreview[] {
  return previewsByEntry.get(clientId) ?? [];
}

export function usePreviews(clientId: string, files: readonly OutboxFile[]): FilePreview[] {
  const [previews] = useState(() => createPreviews(clientId, files));
  return previews;
}

import { useState } from 'react';
import type { OutFile } from './queue.ts';

export type Preview = { key: string; url: string; kind: 'picture' | 'video'; width: number; height: number };

const kept = new Map<string, Preview[]>();

export function keepPreviews(clientId: string, files: readonly OutFile[]): Preview[] {
  const known = kept.get(clientId);
  if (known) return known;
  const made = files.flatMap(({ key, kind, blob, width, height }) =>
    kind === 'picture' || kind === 'video' ? [{ key, url: URL.createObjectURL(blob), kind, width, height }] : [],
  );
  if (made.length > 0) kept.set(clientId, made);
  return made;
}

export function previewsOf(clientId: string): Preview[] {
  return kept.get(clientId) ?? [];
}

export function usePreviews(clientId: string, files: readonly OutFile[]): Preview[] {
  const [previews] = useState(() => keepPreviews(clientId, files));
  return previews;
}

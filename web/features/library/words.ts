import type { Media } from '@stagedoor/contract/media.ts';
import { formatBytes } from '../../kernel/bytes.ts';
import { formatDuration } from '../../kernel/dates.ts';

export const KIND_WORDS: Readonly<Record<Media['kind'], string>> = {
  picture: 'Photo',
  video: 'Video',
  audio: 'Audio',
};

const STAGE_WORDS: Readonly<Record<Media['stage'], string>> = {
  queued: 'Queued',
  inspecting: 'Checking file',
  packaging: 'Converting',
  encoding: 'Converting',
  improving: 'Ready. Higher quality coming',
  done: 'Ready',
};

export function nameOf({ title, fileName }: Pick<Media, 'title' | 'fileName'>): string {
  return title || fileName || 'Untitled';
}

/** Returns text such as "Video, 12:04 · 240 MB". */
export function describe({
  kind,
  durationSeconds,
  byteSize,
}: Pick<Media, 'kind' | 'durationSeconds' | 'byteSize'>): string {
  const length = durationSeconds === null ? '' : `, ${formatDuration(durationSeconds)}`;
  return `${KIND_WORDS[kind]}${length} · ${formatBytes(byteSize)}`;
}

export function stageWords({ stage, progress }: Pick<Media, 'stage' | 'progress'>): string {
  const percent = stage === 'queued' || stage === 'done' || progress <= 0 ? '' : `, ${Math.floor(progress * 100)}%`;
  return STAGE_WORDS[stage] + percent;
}

import type { Media } from '@stagedoor/contract/content/media.ts';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatDuration } from '../../../../platform/dates.ts';

export const MEDIA_KIND_LABELS: Readonly<Record<Media['kind'], string>> = {
  picture: 'Photo',
  video: 'Video',
  audio: 'Audio',
};

const STAGE_LABELS: Readonly<Record<Media['stage'], string>> = {
  queued: 'Queued',
  inspecting: 'Checking file',
  packaging: 'Converting',
  encoding: 'Converting',
  improving: 'Ready. Higher quality coming',
  done: 'Ready',
};

export function getMediaName({ title, fileName }: Pick<Media, 'title' | 'fileName'>): string {
  return title || fileName || 'Untitled';
}

/** Returns text such as "Video, 12:04 · 240 MB". */
export function describeUpload({
  kind,
  durationSeconds,
  byteSize,
}: Pick<Media, 'kind' | 'durationSeconds' | 'byteSize'>): string {
  const length = durationSeconds === null ? '' : `, ${formatDuration(durationSeconds)}`;
  return `${MEDIA_KIND_LABELS[kind]}${length} · ${formatBytes(byteSize)}`;
}

export function formatStage({ stage, progress }: Pick<Media, 'stage' | 'progress'>): string {
  const percent = stage === 'queued' || stage === 'done' || progress <= 0 ? '' : `, ${Math.floor(progress * 100)}%`;
  return STAGE_LABELS[stage] + percent;
}

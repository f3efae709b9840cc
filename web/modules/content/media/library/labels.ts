import type { Media } from '@stagedoor/contract/content/media.ts';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatDuration } from '../../../../platform/dates.ts';
import * as texts from '../texts.ts';

export const MEDIA_KIND_LABELS: Readonly<Record<Media['kind'], string>> = {
  picture: texts.photo,
  video: texts.video,
  audio: texts.audio,
};

const STAGE_LABELS: Readonly<Record<Media['stage'], string>> = {
  queued: texts.queued,
  inspecting: texts.checkingFile,
  packaging: texts.converting,
  encoding: texts.converting,
  improving: texts.readyHigherQualityComing,
  done: texts.ready,
};

export function getMediaName({ title, fileName }: Pick<Media, 'title' | 'fileName'>): string {
  return title || fileName || texts.untitled;
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

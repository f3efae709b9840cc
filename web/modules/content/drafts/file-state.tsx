import { mediaEditPath } from '@stagedoor/contract/shared/addresses.ts';
import { useId } from 'react';
import { formatBytes } from '../../../platform/bytes.ts';
import { formatDuration } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { Button } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/states.tsx';
import type { UploadItem } from './items.ts';
import { formatRemaining } from './upload-pace.ts';
import type { PostFiles } from './use-files.ts';

const STAGE_LABELS: Readonly<Record<UploadItem['stage'], string>> = {
  queued: 'Waiting',
  inspecting: 'Checking file',
  packaging: 'Converting',
  encoding: 'Optimizing for all devices',
  improving: 'Adding higher quality',
  done: 'Creating preview',
};

function formatPace({ rate, byteSize, sent }: UploadItem): string {
  if (!rate) return '';
  return ` · ${formatBytes(rate)}/s · ${formatRemaining((byteSize - sent) / rate)}`;
}

function UploadProgress({ item, files }: { item: UploadItem; files: PostFiles }) {
  const isPaused = item.state === 'paused';
  const label = item.state === 'waiting' ? 'Queued' : isPaused ? 'Paused' : 'Uploading';
  return (
    <Progress
      label={label}
      name={`${label} ${item.name}`}
      value={item.sent}
      max={item.byteSize}
      text={`${formatBytes(item.sent)} of ${formatBytes(item.byteSize)}${item.state === 'uploading' ? formatPace(item) : ''}`}
      action={
        <Button
          variant="quiet"
          className="-ml-2.5"
          aria-label={`${isPaused ? 'Continue' : 'Pause'} ${item.name}`}
          onClick={() => (isPaused ? files.resume(item.key) : files.pause(item.key))}
        >
          {isPaused ? 'Continue' : 'Pause'}
        </Button>
      }
    />
  );
}

function OfflineProgress({ item, files }: { item: UploadItem; files: PostFiles }) {
  return (
    <Progress
      label="Connection lost. Will resume automatically."
      name={`Uploading ${item.name}, connection lost`}
      value={item.sent}
      max={item.byteSize}
      text={`${formatBytes(item.sent)} of ${formatBytes(item.byteSize)}`}
      action={
        <Button variant="quiet" className="-ml-2.5" onClick={() => files.resume(item.key)}>
          Try now
        </Button>
      }
    />
  );
}

/**
 * The browser no longer has the file. With a stored file handle one press resumes it, otherwise the user must choose
 * the file again.
 */
function LostFile({ item, files }: { item: UploadItem; files: PostFiles }) {
  const id = useId();
  const choose = (chosen: FileList | null) => {
    const [file] = chosen ?? [];
    const problem = file && files.chooseAgain(item.key, file);
    if (problem) void showToast(problem, 'error');
  };
  return (
    <>
      <Progress
        label="Stopped"
        name={`Upload of ${item.name}, stopped`}
        value={item.sent}
        max={item.byteSize}
        text={`${formatBytes(item.sent)} of ${formatBytes(item.byteSize)} uploaded`}
      />
      <p className="text-small text-muted">Choose the same file again to resume the upload.</p>
      <input
        id={id}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={`Choose ${item.name} again`}
        onChange={(event) => {
          choose(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
      <Button
        className="justify-self-start"
        icon="upload"
        onClick={async () => {
          if (!(await files.readAgain(item.key))) document.getElementById(id)?.click();
        }}
      >
        Choose the file again
      </Button>
    </>
  );
}

function ReadyFile({ item }: { item: UploadItem }) {
  const length = item.durationSeconds === null ? '' : `${formatDuration(item.durationSeconds)}, `;
  const more = item.kind === 'video' && item.stage === 'improving' ? '. Higher quality coming soon.' : '';
  return (
    <>
      <p className="text-small text-muted">
        {length}
        {formatBytes(item.byteSize)}, ready{more}
      </p>
      {item.kind !== 'picture' && item.mediaId !== undefined && (
        <Button
          variant="quiet"
          icon="external"
          className="-ml-2.5 justify-self-start"
          href={mediaEditPath(item.mediaId)}
          target="_blank"
        >
          {item.kind === 'video' ? 'Thumbnail, free preview and captions' : 'Cover, free preview and captions'}
          <span className="sr-only">, opens in a new tab</span>
        </Button>
      )}
    </>
  );
}

const KIND_LABELS = { picture: 'Photo', video: 'Video', audio: 'Audio' } as const;

/** Describes a file in one line, such as "Photo 2, evening.jpg, 2.4 MB, no alt text, ready". */
export function describeFile(item: UploadItem, index: number): string {
  const label = `${KIND_LABELS[item.kind]} ${index + 1}, ${item.name}`;
  const length = item.durationSeconds === null ? [] : [formatDuration(item.durationSeconds)];
  if (item.isUsed || item.state === 'failed') return `${label}, can’t be used`;
  if (item.state === 'ready')
    return [label, ...length, formatBytes(item.byteSize), item.alt ? 'has alt text' : 'no alt text', 'ready'].join(
      ', ',
    );
  return `${label}, ${item.state === 'processing' ? 'processing' : 'uploading'}`;
}

export function FileState({ item, files }: { item: UploadItem; files: PostFiles }) {
  if (item.isUsed) {
    return (
      <p role="alert" className="text-small text-danger">
        This file is already in another post. Remove it.
      </p>
    );
  }
  switch (item.state) {
    case 'failed':
      return (
        <p role="alert" className="text-small text-danger">
          {item.failure}
        </p>
      );
    case 'processing':
      return (
        <Progress
          label={STAGE_LABELS[item.stage]}
          name={`${STAGE_LABELS[item.stage]}: ${item.name}`}
          value={item.progress > 0 ? item.progress : undefined}
          max={1}
        />
      );
    case 'ready':
      return <ReadyFile item={item} />;
    case 'lost':
      return <LostFile item={item} files={files} />;
    case 'offline':
      return <OfflineProgress item={item} files={files} />;
    default:
      return <UploadProgress item={item} files={files} />;
  }
}

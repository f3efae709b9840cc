import { mediaEditPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useId } from 'react';
import { formatBytes } from '../../../platform/bytes.ts';
import { formatCount, formatDuration } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { Button } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/states.tsx';
import type { UploadItem } from './items.ts';
import * as texts from './texts.ts';
import { formatRemaining } from './upload-pace.ts';
import type { PostFiles } from './use-files.ts';

const STAGE_LABELS: Readonly<Record<UploadItem['stage'], string>> = {
  queued: texts.waiting,
  inspecting: texts.checkingFile,
  packaging: texts.converting,
  encoding: texts.optimizingForAllDevices,
  improving: texts.addingHigherQuality,
  done: texts.creatingPreview,
};

function formatPace({ rate, byteSize, sent }: UploadItem): string {
  if (!rate) return '';
  return ` · ${formatBytes(rate)}/s · ${formatRemaining((byteSize - sent) / rate)}`;
}

function UploadProgress({ item, files }: { item: UploadItem; files: PostFiles }) {
  const isPaused = item.state === 'paused';
  const label = item.state === 'waiting' ? texts.queued : isPaused ? texts.paused : texts.uploading;
  return (
    <Progress
      label={label}
      name={`${label} ${item.name}`}
      value={item.sent}
      max={item.byteSize}
      text={formatText(texts.uploadProgress, {
        sent: formatBytes(item.sent),
        byteSize: formatBytes(item.byteSize),
        pace: item.state === 'uploading' ? formatPace(item) : '',
      })}
      action={
        <Button
          variant="quiet"
          className="-ml-2.5"
          aria-label={`${isPaused ? texts.continueUpload : texts.pause} ${item.name}`}
          onClick={() => (isPaused ? files.resume(item.key) : files.pause(item.key))}
        >
          {isPaused ? texts.continueUpload : texts.pause}
        </Button>
      }
    />
  );
}

function OfflineProgress({ item, files }: { item: UploadItem; files: PostFiles }) {
  return (
    <Progress
      label={texts.connectionLost}
      name={`Uploading ${item.name}, connection lost`}
      value={item.sent}
      max={item.byteSize}
      text={formatText(texts.pausedUploadProgress, {
        sent: formatBytes(item.sent),
        byteSize: formatBytes(item.byteSize),
      })}
      action={
        <Button variant="quiet" className="-ml-2.5" onClick={() => files.resume(item.key)}>
          {texts.tryNow}
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
        label={texts.stopped}
        name={`Upload of ${item.name}, stopped`}
        value={item.sent}
        max={item.byteSize}
        text={formatText(texts.stoppedUploadProgress, {
          sent: formatBytes(item.sent),
          byteSize: formatBytes(item.byteSize),
        })}
      />
      <p className="text-small text-muted">{texts.sameFileHint}</p>
      <input
        id={id}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={formatText(texts.chooseNamedFileAgain, { name: item.name })}
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
        {texts.chooseTheFileAgain}
      </Button>
    </>
  );
}

function ReadyFile({ item }: { item: UploadItem }) {
  const length = item.durationSeconds === null ? '' : `${formatDuration(item.durationSeconds)}, `;
  const more = item.kind === 'video' && item.stage === 'improving' ? texts.higherQualityComingSoon : '';
  return (
    <>
      <p className="text-small text-muted">
        {formatText(texts.fileReady, { length, byteSize: formatBytes(item.byteSize), more })}
      </p>
      {item.leftOutSubtitles > 0 && (
        <p role="status" className="text-small">
          {formatText(texts.leftOutSubtitles, { trackCount: formatCount(item.leftOutSubtitles, 'subtitle track') })}
        </p>
      )}
      {item.kind !== 'picture' && item.mediaId !== undefined && (
        <Button
          variant="quiet"
          icon="external"
          className="-ml-2.5 justify-self-start"
          href={mediaEditPath(item.mediaId)}
          target="_blank"
        >
          {item.kind === 'video' ? texts.videoDetailsLink : texts.audioDetailsLink}
          <span className="sr-only">{texts.opensInNewTab}</span>
        </Button>
      )}
    </>
  );
}

const KIND_LABELS = { picture: texts.photo, video: texts.video, audio: texts.audio } as const;

/** Describes a file in one line, such as "Photo 2, evening.jpg, 2.4 MB, no alt text, ready". */
export function describeFile(item: UploadItem, index: number): string {
  const label = `${KIND_LABELS[item.kind]} ${index + 1}, ${item.name}`;
  const length = item.durationSeconds === null ? [] : [formatDuration(item.durationSeconds)];
  if (item.isUsed || item.state === 'failed') return formatText(texts.fileUnusable, { label });
  if (item.state === 'ready')
    return [label, ...length, formatBytes(item.byteSize), item.alt ? texts.hasAltText : texts.noAltText, 'ready'].join(
      ', ',
    );
  return `${label}, ${item.state === 'processing' ? 'processing' : 'uploading'}`;
}

export function FileState({ item, files }: { item: UploadItem; files: PostFiles }) {
  if (item.isUsed) {
    return (
      <p role="alert" className="text-small text-danger">
        {texts.fileUsedElsewhereError}
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

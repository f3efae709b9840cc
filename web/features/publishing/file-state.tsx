import { mediaEditPath } from '@stagedoor/contract/addresses.ts';
import { useId } from 'react';
import { formatBytes } from '../../kernel/bytes.ts';
import { formatDuration } from '../../kernel/dates.ts';
import { showToast } from '../../kernel/outcome.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/states.tsx';
import type { Files } from './files.ts';
import type { Item } from './items.ts';
import { formatRemaining } from './pace.ts';

const STAGES: Readonly<Record<Item['stage'], string>> = {
  queued: 'Waiting',
  inspecting: 'Checking file',
  packaging: 'Converting',
  encoding: 'Optimizing for all devices',
  improving: 'Adding higher quality',
  done: 'Creating preview',
};

function paceOf({ rate, byteSize, sent }: Item): string {
  if (!rate) return '';
  return ` · ${formatBytes(rate)}/s · ${formatRemaining((byteSize - sent) / rate)}`;
}

function Sending({ item, files }: { item: Item; files: Files }) {
  const isHeld = item.state === 'paused';
  const words = item.state === 'waiting' ? 'Queued' : isHeld ? 'Paused' : 'Uploading';
  return (
    <Progress
      label={words}
      name={`${words} ${item.name}`}
      value={item.sent}
      max={item.byteSize}
      text={`${formatBytes(item.sent)} of ${formatBytes(item.byteSize)}${item.state === 'uploading' ? paceOf(item) : ''}`}
      action={
        <Button
          variant="quiet"
          className="-ml-2.5"
          aria-label={`${isHeld ? 'Continue' : 'Pause'} ${item.name}`}
          onClick={() => (isHeld ? files.resume(item.key) : files.pause(item.key))}
        >
          {isHeld ? 'Continue' : 'Pause'}
        </Button>
      }
    />
  );
}

function Offline({ item, files }: { item: Item; files: Files }) {
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
function Lost({ item, files }: { item: Item; files: Files }) {
  const id = useId();
  const choose = (chosen: FileList | null) => {
    const [file] = chosen ?? [];
    const words = file && files.chooseAgain(item.key, file);
    if (words) void showToast(words, 'error');
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

function Ready({ item }: { item: Item }) {
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

const KINDS = { picture: 'Photo', video: 'Video', audio: 'Audio' } as const;

/** Describes a file in one line, such as "Photo 2, evening.jpg, 2.4 MB, no alt text, ready". */
export function fileWords(item: Item, index: number): string {
  const which = `${KINDS[item.kind]} ${index + 1}, ${item.name}`;
  const length = item.durationSeconds === null ? [] : [formatDuration(item.durationSeconds)];
  if (item.isUsed || item.state === 'failed') return `${which}, can’t be used`;
  if (item.state === 'ready')
    return [which, ...length, formatBytes(item.byteSize), item.alt ? 'has alt text' : 'no alt text', 'ready'].join(
      ', ',
    );
  return `${which}, ${item.state === 'processing' ? 'processing' : 'uploading'}`;
}

export function FileState({ item, files }: { item: Item; files: Files }) {
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
          label={STAGES[item.stage]}
          name={`${STAGES[item.stage]}: ${item.name}`}
          value={item.progress > 0 ? item.progress : undefined}
          max={1}
        />
      );
    case 'ready':
      return <Ready item={item} />;
    case 'lost':
      return <Lost item={item} files={files} />;
    case 'offline':
      return <Offline item={item} files={files} />;
    default:
      return <Sending item={item} files={files} />;
  }
}

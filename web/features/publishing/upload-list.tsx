/** The files of a draft: chosen, dropped or pasted; each with progress, order, alt text and a way out. */
import { ALT_LENGTH } from '@stagedoor/contract/atoms/limits.ts';
import { type ClipboardEvent, type DragEvent, useId, useState } from 'react';
import { formatBytes } from '../../kernel/dates.ts';
import { say } from '../../kernel/outcome.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { TextField } from '../../ui/field.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Progress } from '../../ui/states.tsx';
import type { Item, Uploads } from './uploads.ts';

const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.heic,.heif';

function StateLine({ item, uploads }: { item: Item; uploads: Uploads }) {
  if (item.state === 'failed') {
    return (
      <p role="alert" className="text-small text-danger">
        {item.failure}
      </p>
    );
  }
  if (item.state === 'processing') return <p className="text-small text-muted">Preparing sizes and preview…</p>;
  if (item.state === 'ready') return <p className="text-small text-muted">{formatBytes(item.byteSize)}, ready</p>;
  const isPaused = item.state === 'paused';
  return (
    <Progress
      label={`Uploading ${item.name}`}
      value={item.sent}
      max={item.byteSize}
      text={`${formatBytes(item.sent)} of ${formatBytes(item.byteSize)}`}
      action={
        <Button variant="quiet" onClick={() => (isPaused ? uploads.resume(item.key) : uploads.pause(item.key))}>
          {isPaused ? 'Continue' : 'Pause'}
        </Button>
      }
    />
  );
}

function Entry({ item, index, count, uploads }: { item: Item; index: number; count: number; uploads: Uploads }) {
  const which = `picture ${index + 1}`;
  return (
    <li className="grid grid-cols-[96px_minmax(0,1fr)] gap-4 border-t border-line py-4 md:grid-cols-[128px_minmax(0,1fr)]">
      <Picture src={item.src} alt="" ratio="4 / 5" empty={null} />
      <div className="grid grid-cols-1 content-start gap-2">
        <div className="flex items-center gap-1">
          <span className="one-line flex-1 font-semibold">{item.name}</span>
          <IconButton
            quiet
            icon="chevron-up"
            label={`Move ${which} up`}
            disabled={index === 0}
            onClick={() => uploads.move(item.key, -1)}
          />
          <IconButton
            quiet
            icon="chevron-down"
            label={`Move ${which} down`}
            disabled={index === count - 1}
            onClick={() => uploads.move(item.key, 1)}
          />
          <IconButton quiet icon="trash" label={`Remove ${which}`} onClick={() => uploads.remove(item.key)} />
        </div>
        <StateLine item={item} uploads={uploads} />
        {item.state !== 'failed' && (
          <TextField
            label="Described for those who don’t see it"
            value={item.alt}
            maxLength={ALT_LENGTH}
            onChange={(event) => uploads.describe(item.key, event.currentTarget.value)}
          />
        )}
      </div>
    </li>
  );
}

export function UploadList({ uploads }: { uploads: Uploads }) {
  const [isOver, setIsOver] = useState(false);
  const id = useId();
  const add = (files: Iterable<File>) => {
    for (const words of uploads.add(files)) void say(words, 'error');
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    add(event.dataTransfer.files);
  };
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length > 0) add(event.clipboardData.files);
  };
  return (
    <section onPaste={paste} aria-label="Pictures">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the file input inside does the same by keyboard */}
      <div
        className={cx(
          'grid justify-items-center gap-2 border border-dashed px-5 py-9 text-center focus-within:outline-2 focus-within:outline-offset-2',
          isOver ? 'border-ink bg-surface-2' : 'border-line-strong',
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <label htmlFor={id} className="btn btn--line cursor-pointer">
          Choose pictures
        </label>
        <input
          id={id}
          type="file"
          multiple
          accept={ACCEPTED}
          className="sr-only"
          onChange={(event) => {
            add(event.currentTarget.files ?? []);
            event.currentTarget.value = '';
          }}
        />
        <p className="text-small text-muted">or drop or paste them here. JPEG, PNG, WebP, AVIF or HEIC, up to 20.</p>
      </div>
      {uploads.items.length > 0 && (
        <ol className="mt-4 border-b border-line">
          {uploads.items.map((item, index) => (
            <Entry key={item.key} item={item} index={index} count={uploads.items.length} uploads={uploads} />
          ))}
        </ol>
      )}
    </section>
  );
}

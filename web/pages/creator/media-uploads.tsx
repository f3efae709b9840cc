/** Uploads straight into the library: chosen, dropped or pasted, each with its way; once it is there, the grid shows it. */
import { getMedia } from '@stagedoor/contract/media.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { hangNew } from '../../features/library/use-library.ts';
import { DropAnywhere } from '../../features/publishing/drop-anywhere.tsx';
import { type Item, isUploading, itemOfFile, refusalOf } from '../../features/publishing/items.ts';
import { LeaveGuard } from '../../features/publishing/leave-guard.tsx';
import { formatRemaining } from '../../features/publishing/pace.ts';
import { createUploader, type Uploader } from '../../features/publishing/uploader.ts';
import { formatBytes } from '../../kernel/dates.ts';
import { api } from '../../kernel/mutation.ts';
import { say } from '../../kernel/outcome.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Progress } from '../../ui/states.tsx';

type Sending = {
  items: readonly Item[];
  add: (files: readonly File[]) => void;
  pause: (key: string) => void;
  resume: (key: string) => void;
  remove: (key: string) => void;
};

function useSending(): Sending {
  const client = useQueryClient();
  const [items, setItems] = useState<readonly Item[]>([]);
  const uploader = useRef<Uploader>(undefined);
  useEffect(() => () => uploader.current?.close(), []);

  const change = (key: string, to: Partial<Item>) =>
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...to } : item)));
  const take = (key: string) => setItems((before) => before.filter((item) => item.key !== key));
  const arrive = (key: string, mediaId: string) => {
    take(key);
    api(getMedia, { params: { id: mediaId } }, { showErrorMessage: false }).then(
      (media) => hangNew(client, media),
      // The live event hangs it, if it is not there by then.
      () => undefined,
    );
  };
  const begun = () => {
    uploader.current ??= createUploader({
      placed: () => undefined,
      news: (key, news) => {
        if (news.state === 'done') arrive(key, news.mediaId);
        else change(key, news);
      },
    });
    return uploader.current;
  };
  return {
    items,
    add: (files) => {
      for (const file of files) {
        const refusal = refusalOf(file);
        if (refusal) {
          void say(refusal, 'error');
          continue;
        }
        const key = crypto.randomUUID();
        setItems((before) => [...before, itemOfFile(key, file, '')]);
        begun().add(key, file);
      }
    },
    pause: (key) => uploader.current?.pause(key),
    resume: (key) => uploader.current?.resume(key),
    remove: (key) => {
      uploader.current?.drop(key, true);
      take(key);
    },
  };
}

function wayOf({ state, sent, byteSize, rate }: Item): string {
  const sizes = `${formatBytes(sent)} of ${formatBytes(byteSize)}`;
  if (state !== 'uploading' || !rate) return sizes;
  return `${sizes} · ${formatBytes(rate)}/s · ${formatRemaining((byteSize - sent) / rate)}`;
}

const STATE_WORDS: Readonly<Partial<Record<Item['state'], string>>> = {
  waiting: 'Waits its turn',
  paused: 'Paused',
  offline: 'Connection lost. It goes on by itself.',
};

function Way({ item, sending }: { item: Item; sending: Sending }) {
  const { key, name, state } = item;
  const isHeld = state === 'paused';
  return (
    <li className="flex items-center gap-2 border-t border-line py-3">
      <div className="min-w-0 flex-1">
        {state === 'failed' ? (
          <p role="alert" className="text-small text-danger wrap-anywhere">
            {name}: {item.failure}
          </p>
        ) : (
          <Progress label={name} value={item.sent} max={item.byteSize} text={STATE_WORDS[state] ?? wayOf(item)} />
        )}
      </div>
      {(isHeld || state === 'uploading') && (
        <IconButton
          quiet
          icon={isHeld ? 'play' : 'pause'}
          label={`${isHeld ? 'Continue' : 'Pause'} ${name}`}
          onClick={() => (isHeld ? sending.resume(key) : sending.pause(key))}
        />
      )}
      <IconButton quiet icon="close" label={`Remove ${name}`} onClick={() => sending.remove(key)} />
    </li>
  );
}

/** The page's title with the way to upload beside it, and what is on its way under it. */
export function UploadsHead({ title }: { title: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const sending = useSending();
  const isBusy = sending.items.some(isUploading);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-5">
        <h1 className="display d2">{title}</h1>
        <Button variant="primary" icon="upload" onClick={() => input.current?.click()}>
          Upload
        </Button>
        <input
          ref={input}
          id={id}
          type="file"
          multiple
          accept="image/*,video/*,audio/*,.heic,.heif,.mkv"
          className="sr-only"
          tabIndex={-1}
          aria-label="Files to upload"
          onChange={(event) => {
            sending.add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {sending.items.length > 0 && (
        <ul aria-label="On their way" className="mb-6 border-b border-line">
          {sending.items.map((item) => (
            <Way key={item.key} item={item} sending={sending} />
          ))}
        </ul>
      )}
      <DropAnywhere onFiles={sending.add} />
      <LeaveGuard
        isPath
        stake={isBusy ? 'What is still on its way would stop, and begin again from the start.' : undefined}
      />
    </>
  );
}

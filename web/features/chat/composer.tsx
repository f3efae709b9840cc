/** Where one writes: words, pasted, dropped and chosen files, a voice note, a tip; creators also name a price, or let it open once. */
import { CHAT_LIMITS, CHAT_PRICE_CENTS } from '@stagedoor/contract/atoms/limits.ts';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { formatBytes } from '../../kernel/dates.ts';
import { say } from '../../kernel/outcome.ts';
import { ComposerInput, Composer as Line } from '../../ui/bubble.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/choice.tsx';
import { Menu } from '../../ui/menu.tsx';
import { attach, DOCUMENT_ACCEPT, groupsOf, MEDIA_ACCEPT, refusalOf } from './attach.ts';
import { useDraft } from './drafts.ts';
import type { OutFile } from './outbox-queue.ts';
import { useParts } from './parts.ts';
import { keepPreviews } from './previews.ts';
import { priceOf } from './price.ts';
import type { Recorded } from './use-recorder.ts';
import { VoiceLine } from './voice-line.tsx';

export type Written = { text: string; files: OutFile[]; price: number; isViewOnce: boolean; voice?: Recorded };

export type ComposerProps = {
  thread: string;
  /** Answers whether it was taken. */
  onSend: (written: Written) => boolean;
  onTyping: (isTyping: boolean) => void;
  /** A request: one text and no files. */
  isTextOnly: boolean;
  canAsk: boolean;
  tip?: ReactNode;
  /** Above the line, e.g. whom a broadcast is for. */
  above?: ReactNode;
  placeholder?: string;
};

const MIXED = 'Ask for money for photos and videos, or for documents, in one message each.';
const COUNT_FROM = CHAT_LIMITS.textLength - 500;

function FileTile({ file, onRemove }: { file: OutFile; onRemove: () => void }) {
  const [preview] = keepPreviews(file.key, [file]);
  const remove = <IconButton icon="close" size={16} label={`Remove ${file.name}`} onClick={onRemove} />;
  if (!preview)
    return (
      <li className="write__file write__file--doc">
        <span className="one-line font-semibold">{file.name}</span>
        <span className="num text-muted">{formatBytes(file.blob.size)}</span>
        {remove}
      </li>
    );
  return (
    <li className="write__file">
      {preview.kind === 'picture' ? (
        <img src={preview.url} alt={file.name} className="h-full w-full object-cover" />
      ) : (
        <video src={preview.url} muted playsInline preload="metadata" className="h-full w-full object-cover" />
      )}
      {remove}
    </li>
  );
}

function Terms({
  price,
  isViewOnce,
  onPrice,
  onViewOnce,
}: {
  price: string;
  isViewOnce: boolean;
  onPrice: (price: string) => void;
  onViewOnce: (isViewOnce: boolean) => void;
}) {
  const id = useId();
  const { complaint } = priceOf(price);
  return (
    <div className="write__terms">
      <span className="inline-flex items-center gap-2">
        <label htmlFor={id} className="text-note font-semibold">
          Price, $
        </label>
        <input
          id={id}
          className="input w-24"
          inputMode="decimal"
          autoComplete="off"
          placeholder="Free"
          value={price}
          aria-invalid={complaint ? true : undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onPrice(event.currentTarget.value)}
        />
      </span>
      <Switch label="View once" checked={isViewOnce} onChange={(event) => onViewOnce(event.currentTarget.checked)} />
      <span id={`${id}-hint`} className={complaint ? 'w-full text-small text-danger' : 'w-full text-small text-muted'}>
        {complaint ?? `Free, or from ${formatCents(CHAT_PRICE_CENTS.min)} to ${formatCents(CHAT_PRICE_CENTS.max)}.`}
      </span>
    </div>
  );
}

/** Chosen, pasted or dropped, each measured before it is shown. */
function useFiles(isTextOnly: boolean) {
  const [files, setFiles] = useState<OutFile[]>([]);
  const add = async (chosen: Iterable<File>) => {
    const list = [...chosen];
    if (list.length > 0 && isTextOnly) return void say('Your first message is words only.', 'info');
    for (const file of list) {
      const refusal = refusalOf(file);
      if (refusal) void say(refusal, 'error');
    }
    const fit = list.filter((file) => !refusalOf(file));
    const free = Math.max(0, CHAT_LIMITS.files - files.length);
    if (fit.length > free) void say(`A message has at most ${CHAT_LIMITS.files} files.`, 'error');
    const added = await Promise.all(fit.slice(0, free).map(attach));
    setFiles((now) => [...now, ...added].slice(0, CHAT_LIMITS.files));
  };
  return {
    files,
    add,
    remove: (key: string) => setFiles((now) => now.filter((file) => file.key !== key)),
    clear: () => setFiles([]),
  };
}

/** Files dropped anywhere beside the composer. Answers whether some are held over the page right now. */
function useDrop(add: (files: Iterable<File>) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent((files: FileList) => add([...files]));
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const out = (event: DragEvent) => event.relatedTarget === null && setIsOver(false);
    const dropped = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setIsOver(false);
      drop(event.dataTransfer.files);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', out);
    addEventListener('drop', dropped);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', out);
      removeEventListener('drop', dropped);
    };
  }, []);
  return isOver;
}

/** A phone's own keyboard has Enter for a new line, and a button to send. */
const isTouch = () => matchMedia('(pointer: coarse)').matches;

function Choosers({ add, isTextOnly }: { add: (files: Iterable<File>) => void; isTextOnly: boolean }) {
  const media = useRef<HTMLInputElement>(null);
  const documents = useRef<HTMLInputElement>(null);
  if (isTextOnly) return null;
  const chooser = (ref: typeof media, accept: string, label: string) => (
    <input
      ref={ref}
      type="file"
      multiple
      accept={accept}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={(event) => {
        add([...(event.currentTarget.files ?? [])]);
        event.currentTarget.value = '';
      }}
    />
  );
  return (
    <>
      <Menu
        label="Attach"
        align="start"
        trigger={<IconButton icon="plus" label="Attach" />}
        items={[
          { label: 'Photos and videos', icon: 'image', onSelect: () => media.current?.click() },
          { label: 'Documents', icon: 'document', onSelect: () => documents.current?.click() },
        ]}
      />
      {chooser(media, MEDIA_ACCEPT, 'Photos and videos')}
      {chooser(documents, DOCUMENT_ACCEPT, 'Documents')}
    </>
  );
}

export function Composer(props: ComposerProps) {
  const { thread, onSend, onTyping, isTextOnly, canAsk, tip, above, placeholder = 'Message' } = props;
  const { viewerId } = useParts();
  const [text, setText] = useDraft(viewerId, thread);
  const { files, add, remove, clear } = useFiles(isTextOnly);
  const isDropping = useDrop((chosen) => void add(chosen));
  const [price, setPrice] = useState('');
  const [isViewOnce, setIsViewOnce] = useState(false);
  const [isSpeaking, setIsSpeaking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  // Opened from the list by somebody at a keyboard: they mean to write.
  useEffect(() => {
    const isFromList = document.activeElement instanceof HTMLElement && document.activeElement.dataset.talk;
    if (isFromList && !isTouch()) field.current?.focus();
  }, []);
  const length = [...text.trim()].length;
  const isTooLong = length > CHAT_LIMITS.textLength;
  const asked = priceOf(files.length > 0 && canAsk ? price : '');
  const mixed = asked.usd > 0 && groupsOf(files).length > 1 ? MIXED : undefined;
  const wrong = asked.complaint ?? mixed;
  const isEmpty = length === 0 && files.length === 0;

  const send = () => {
    if (isEmpty || isTooLong || wrong) return;
    const isTaken = onSend({ text: text.trim(), files, price: asked.usd, isViewOnce: isViewOnce && files.length > 0 });
    if (!isTaken) return;
    setText('');
    clear();
    setPrice('');
    setIsViewOnce(false);
    onTyping(false);
    field.current?.focus();
  };
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouch()) return;
    event.preventDefault();
    send();
  };
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void add([...event.clipboardData.files]);
  };
  if (isSpeaking)
    return (
      <div className="write">
        <VoiceLine
          onDone={(voice) => {
            setIsSpeaking(false);
            if (voice) onSend({ text: '', files: [], price: 0, isViewOnce: false, voice });
          }}
        />
      </div>
    );
  return (
    <div className="write" data-composer="">
      {above}
      {isDropping && <div className="dropping">Drop the files to attach them</div>}
      {files.length > 0 && (
        <ul className="write__files" aria-label="Files to send">
          {files.map((file) => (
            <FileTile key={file.key} file={file} onRemove={() => remove(file.key)} />
          ))}
        </ul>
      )}
      {files.length > 0 && canAsk && (
        <Terms price={price} isViewOnce={isViewOnce} onPrice={setPrice} onViewOnce={setIsViewOnce} />
      )}
      {mixed && (
        <p className="write__note" data-wrong="" role="alert">
          {mixed}
        </p>
      )}
      {length > COUNT_FROM && (
        <p className="write__note num" data-wrong={isTooLong ? '' : undefined} role={isTooLong ? 'alert' : undefined}>
          {isTooLong
            ? `A message has at most ${CHAT_LIMITS.textLength.toLocaleString('en-US')} characters; this has ${length.toLocaleString('en-US')}.`
            : `${(CHAT_LIMITS.textLength - length).toLocaleString('en-US')} left`}
        </p>
      )}
      <Line
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        start={<Choosers add={(chosen) => void add(chosen)} isTextOnly={isTextOnly} />}
        end={
          <>
            {tip}
            {isEmpty && !isTextOnly ? (
              <IconButton icon="mic" label="Record a voice message" onClick={() => setIsSpeaking(true)} />
            ) : (
              <IconButton
                icon="send"
                label="Send"
                type="submit"
                disabled={isEmpty || isTooLong || wrong !== undefined}
              />
            )}
          </>
        }
      >
        <ComposerInput
          ref={field}
          dir="auto"
          value={text}
          placeholder={placeholder}
          enterKeyHint="enter"
          onChange={(event) => {
            setText(event.currentTarget.value);
            onTyping(event.currentTarget.value.trim() !== '');
          }}
          onKeyDown={keys}
          onPaste={paste}
        />
      </Line>
    </div>
  );
}

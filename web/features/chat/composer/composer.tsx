import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { whenIdle } from '../../../kernel/idle.ts';
import { lazyPart } from '../../../kernel/lazy-part.ts';
import { usePriceLimit } from '../../../kernel/price-limits.ts';
import { SharedFiles, withWords } from '../../../kernel/shared-files.tsx';
import { useStake } from '../../../kernel/unsaved.ts';
import { ComposerInput, Composer as Line } from '../../../ui/bubble.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/choice.tsx';
import type { OutFile } from '../outbox/queue.ts';
import { useParts } from '../parts.ts';
import { groupsOf } from './attach.ts';
import { Choosers, FileTiles, useDrop, useFiles } from './composer-files.tsx';
import { useDraft } from './drafts.ts';
import { priceOf } from './price.ts';
import type { Recorded } from './use-recorder.ts';

const bringVoiceLine = () => import('./voice-line.tsx');
const VoiceLine = lazyPart(async () => (await bringVoiceLine()).VoiceLine);
const ClosedDoor = lazyPart(async () => (await import('./closed-door.tsx')).ClosedDoor);

export type Written = { text: string; files: OutFile[]; price: number; isViewOnce: boolean; voice?: Recorded };

export type ComposerProps = {
  thread: string;
  onSend: (written: Written) => boolean;
  onTyping: (isTyping: boolean) => void;
  /** A message request allows one text without files. */
  isTextOnly: boolean;
  canAsk: boolean;
  tip?: ReactNode;
  above?: (mediaIds: readonly string[]) => ReactNode;
  placeholder?: string;
};

/** Within this time a second tap on a button that replaced the tapped one is ignored as part of a double tap. */
const DOUBLE_TAP_MS = 400;
/** Largest distance between the two taps, in CSS pixels. */
const THUMB = 28;
const MIXED = 'Send paid photos and videos separately from documents.';
const COUNT_FROM = CHAT_LIMITS.textLength - 500;

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
  const { YouGet } = useParts();
  const { min, max } = usePriceLimit('chatMedia');
  const { usd, complaint } = priceOf(price, { min, max });
  const rule = `Free, or from ${formatUsd(min)} to ${formatUsd(max)}.`;
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
        {complaint ?? (usd > 0 ? <YouGet price={usd} /> : rule)}
      </span>
      <Suspense>
        <ClosedDoor what="Paid messages" />
      </Suspense>
    </div>
  );
}

const isTouch = () => matchMedia('(pointer: coarse)').matches;

function useWriting({ thread, isTextOnly, canAsk, onSend, onTyping }: ComposerProps) {
  const { viewerId } = useParts();
  const [text, setText] = useDraft(viewerId, thread);
  useStake(text.trim() !== '', true);
  const chosen = useFiles(isTextOnly);
  const [price, setPrice] = useState('');
  const [isViewOnce, setIsViewOnce] = useState(false);
  const { files } = chosen;
  const length = [...text.trim()].length;
  const isTooLong = length > CHAT_LIMITS.textLength;
  const limit = usePriceLimit('chatMedia');
  const asked = priceOf(files.length > 0 && canAsk ? price : '', limit);
  const mixed = asked.usd > 0 && groupsOf(files).length > 1 ? MIXED : undefined;
  const isEmpty = length === 0 && files.length === 0;
  const canSend = !isEmpty && !isTooLong && !asked.complaint && !mixed;
  const send = (): boolean => {
    if (!canSend) return false;
    const isTaken = onSend({ text: text.trim(), files, price: asked.usd, isViewOnce: isViewOnce && files.length > 0 });
    if (!isTaken) return false;
    setText('');
    chosen.clear();
    setPrice('');
    setIsViewOnce(false);
    onTyping(false);
    return true;
  };
  return {
    ...{ text, setText, chosen, length, isTooLong, mixed, isEmpty, canSend, send, price: asked.usd },
    terms: { price, isViewOnce, onPrice: setPrice, onViewOnce: setIsViewOnce },
  };
}

function Notes({ mixed, length, isTooLong }: Pick<ReturnType<typeof useWriting>, 'mixed' | 'length' | 'isTooLong'>) {
  return (
    <>
      {mixed && (
        <p className="write__note" data-wrong="" role="alert">
          {mixed}
        </p>
      )}
      {length > COUNT_FROM && (
        <p className="write__note num" data-wrong={isTooLong ? '' : undefined} role={isTooLong ? 'alert' : undefined}>
          {isTooLong
            ? `Messages can have up to ${CHAT_LIMITS.textLength.toLocaleString('en-US')} characters; this one has ${length.toLocaleString('en-US')}.`
            : `${(CHAT_LIMITS.textLength - length).toLocaleString('en-US')} left`}
        </p>
      )}
    </>
  );
}

/** Grows the input with its text in browsers whose CSS cannot. */
function useGrowing(text: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = text === '' ? '' : `${element.scrollHeight + 2}px`;
  }, [text]);
  return field;
}

function WritingLine({ props, writing, hasSpoken, onTurn, onSpeak }: LineProps) {
  const { onTyping, isTextOnly, canAsk, tip, placeholder = 'Message' } = props;
  const { text, setText, chosen, isEmpty, canSend } = writing;
  const field = useGrowing(text);
  const mic = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasSpoken) mic.current?.focus();
  }, [hasSpoken]);
  // A keyboard user who opens a conversation from the list gets the focus in the input.
  useEffect(() => {
    const isFromList = document.activeElement instanceof HTMLElement && document.activeElement.dataset.talk;
    if (isFromList && !isTouch()) field.current?.focus();
  }, [field]);
  const send = () => {
    if (!writing.send()) return;
    onTurn();
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
    void chosen.add([...event.clipboardData.files]);
  };
  return (
    <Line
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      start={
        !isTextOnly && (
          <Choosers
            add={(files) => void chosen.add(files)}
            addUploads={canAsk ? (uploads) => void chosen.addUploads(uploads) : undefined}
            room={CHAT_LIMITS.files - chosen.files.length}
          />
        )
      }
      end={
        <>
          {tip}
          {isEmpty && !isTextOnly ? (
            <IconButton ref={mic} icon="mic" label="Record a voice message" onClick={onSpeak} />
          ) : (
            <>
              {writing.price > 0 && <span className="num text-note font-semibold">{formatUsd(writing.price)}</span>}
              <IconButton icon="send" label="Send" type="submit" disabled={!canSend} />
            </>
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
  );
}
type LineProps = {
  props: ComposerProps;
  writing: ReturnType<typeof useWriting>;
  hasSpoken: boolean;
  onTurn: () => void;
  onSpeak: () => void;
};

export function Composer(props: ComposerProps) {
  const { onSend, canAsk, isTextOnly, above } = props;
  const writing = useWriting(props);
  const { chosen, terms, text, setText } = writing;
  const { files } = chosen;
  const isDropping = useDrop((dropped) => void chosen.add(dropped));
  const [voice, setVoice] = useState<'speaking' | 'spoken'>();
  useEffect(() => whenIdle(() => void bringVoiceLine().catch(() => undefined)), []);
  const pressed = useRef<MouseEvent>(null);
  const turned = useRef<MouseEvent>(null);
  const onTurn = () => {
    turned.current = pressed.current;
  };
  const isSecond = (event: MouseEvent) => {
    const first = turned.current;
    return (
      first !== null &&
      event.timeStamp - first.timeStamp < DOUBLE_TAP_MS &&
      Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) < THUMB
    );
  };
  const guard = {
    // Otherwise the focus would move to the element below the second tap.
    onMouseDownCapture: (event: MouseEvent) => {
      if (isSecond(event)) event.preventDefault();
    },
    onClickCapture: (event: MouseEvent) => {
      if (isSecond(event)) event.stopPropagation();
      else pressed.current = event;
    },
  };
  if (voice === 'speaking')
    return (
      <div className="write" {...guard}>
        <Suspense fallback={<div className="composer h-[61px]" aria-busy="true" />}>
          <VoiceLine
            onTurn={onTurn}
            onDone={(recorded) => {
              setVoice('spoken');
              if (recorded) onSend({ text: '', files: [], price: 0, isViewOnce: false, voice: recorded });
            }}
          />
        </Suspense>
      </div>
    );
  return (
    <div className="write" data-composer="" {...guard}>
      {above?.(files.flatMap(({ mediaId }) => mediaId ?? []))}
      {isDropping && <div className="dropping">Drop the files to attach them</div>}
      {!isTextOnly && (
        <SharedFiles
          onFiles={(shared) => void chosen.add(shared)}
          onWords={(words) => setText(withWords(text, words))}
        />
      )}
      <FileTiles files={files} onRemove={chosen.remove} />
      {files.length > 0 && canAsk && <Terms {...terms} />}
      <Notes {...writing} />
      <WritingLine
        props={props}
        writing={writing}
        hasSpoken={voice === 'spoken'}
        onTurn={onTurn}
        onSpeak={() => {
          onTurn();
          setVoice('speaking');
        }}
      />
    </div>
  );
}

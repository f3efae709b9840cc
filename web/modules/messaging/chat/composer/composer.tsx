import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatUnderstoodUsd } from '@stagedoor/contract/shared/money-input.ts';
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
import { runWhenIdle } from '../../../../platform/idle.ts';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import { usePriceLimit } from '../../../../platform/price-limits.ts';
import { appendText, SharedFiles } from '../../../../platform/shared-files.tsx';
import { useUnsavedChanges } from '../../../../platform/unsaved.ts';
import { ComposerForm, ComposerInput } from '../../../../ui/bubble.tsx';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Switch } from '../../../../ui/choice.tsx';
import { useChatContext } from '../chat-parts.ts';
import type { OutboxFile } from '../outbox/queue.ts';
import * as texts from '../texts.ts';
import { AttachMenu, ComposerFileTiles, useComposerFiles, useFileDrop } from './composer-files.tsx';
import { useDraft } from './drafts.ts';
import { groupFiles } from './prepare-files.ts';
import { parseMediaPrice } from './price.ts';
import { useFileWait, useWhenReady } from './use-file-wait.ts';
import type { VoiceRecording } from './use-recorder.ts';

const loadVoiceLine = () => import('./voice-line.tsx');
const VoiceLine = lazyPart(async () => (await loadVoiceLine()).VoiceLine);
const SellingBlockedNotice = lazyPart(async () => (await import('./selling-blocked-notice.tsx')).SellingBlockedNotice);

export type ComposedMessage = {
  text: string;
  files: OutboxFile[];
  price: number;
  isViewOnce: boolean;
  voice?: VoiceRecording;
};

export type MessageComposerProps = {
  thread: string;
  onSend: (composed: ComposedMessage) => boolean;
  onTyping: (isTyping: boolean) => void;
  /** A message request allows one text without files. */
  isTextOnly: boolean;
  canSetPrice: boolean;
  tip?: ReactNode;
  renderAbove?: (mediaIds: readonly string[]) => ReactNode;
  placeholder?: string;
};

/** Within this time a second tap on a button that replaced the tapped one is ignored as part of a double tap. */
const DOUBLE_TAP_MS = 400;
/** Largest distance between the two taps, in CSS pixels. */
const DOUBLE_TAP_PX = 28;
const MIXED_FILES_MESSAGE = texts.sendDocumentsSeparately;
const COUNTER_FROM = CHAT_LIMITS.textLength - 500;

function PriceAndViewOnce({
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
  const { CreatorShare } = useChatContext();
  const { min, max } = usePriceLimit('chatMedia');
  const { usd, error: priceError } = parseMediaPrice(price, { min, max });
  const rule = formatText(texts.messagePriceRange, { min: formatUsd(min), max: formatUsd(max) });
  return (
    <div className="write__terms">
      <span className="inline-flex items-center gap-2">
        <label htmlFor={id} className="text-note font-semibold">
          {texts.priceField}
        </label>
        <input
          id={id}
          className="input w-24"
          inputMode="decimal"
          autoComplete="off"
          placeholder={texts.free}
          value={price}
          aria-invalid={priceError ? true : undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onPrice(event.currentTarget.value)}
        />
      </span>
      <Switch
        label={texts.viewOnce}
        checked={isViewOnce}
        onChange={(event) => onViewOnce(event.currentTarget.checked)}
      />
      <span id={`${id}-hint`} className={priceError ? 'w-full text-small text-danger' : 'w-full text-small text-muted'}>
        {!priceError && formatUnderstoodUsd(price) && `${formatUnderstoodUsd(price)}. `}
        {priceError ?? (usd > 0 ? <CreatorShare price={usd} /> : rule)}
      </span>
      <Suspense>
        <SellingBlockedNotice feature={texts.paidMessages} />
      </Suspense>
    </div>
  );
}

const isTouch = () => matchMedia('(pointer: coarse)').matches;

function useComposer({ thread, isTextOnly, canSetPrice, onSend, onTyping }: MessageComposerProps) {
  const { viewerId } = useChatContext();
  const [text, setText] = useDraft(viewerId, thread);
  useUnsavedChanges(text.trim() !== '', true);
  const attachments = useComposerFiles(isTextOnly);
  const [price, setPrice] = useState('');
  const [isViewOnce, setIsViewOnce] = useState(false);
  const { files } = attachments;
  const length = [...text.trim()].length;
  const isTooLong = length > CHAT_LIMITS.textLength;
  const limit = usePriceLimit('chatMedia');
  const typedPrice = parseMediaPrice(files.length > 0 && canSetPrice ? price : '', limit);
  const mixedFilesMessage = typedPrice.usd > 0 && groupFiles(files).length > 1 ? MIXED_FILES_MESSAGE : undefined;
  const isEmpty = length === 0 && files.length === 0 && !attachments.isPreparing;
  const canSend = !isEmpty && !isTooLong && !typedPrice.error && !mixedFilesMessage;
  const fileWait = useFileWait(attachments);
  const send = (): boolean => {
    if (!canSend) return false;
    if (attachments.isPreparing) {
      fileWait.start();
      return false;
    }
    const isAccepted = onSend({
      text: text.trim(),
      files,
      price: typedPrice.usd,
      isViewOnce: isViewOnce && files.length > 0,
    });
    if (!isAccepted) return false;
    setText('');
    attachments.clear();
    setPrice('');
    setIsViewOnce(false);
    onTyping(false);
    return true;
  };
  useWhenReady(fileWait, send);
  return {
    ...{
      text,
      setText,
      attachments,
      length,
      isTooLong,
      mixedFilesMessage,
      isEmpty,
      canSend,
      send,
      fileWait,
      price: typedPrice.usd,
    },
    terms: { price, isViewOnce, onPrice: setPrice, onViewOnce: setIsViewOnce },
  };
}

function Notes({
  mixedFilesMessage,
  length,
  isTooLong,
  fileWait,
}: Pick<ReturnType<typeof useComposer>, 'mixedFilesMessage' | 'length' | 'isTooLong' | 'fileWait'>) {
  return (
    <>
      {fileWait.isWaiting && (
        <p className="write__note flex items-center gap-x-3" role="status">
          {texts.sendingWhenReady}
          <Button variant="quiet" onClick={fileWait.stop}>
            {texts.cancel}
          </Button>
        </p>
      )}
      {mixedFilesMessage && (
        <p className="write__note" data-wrong="" role="alert">
          {mixedFilesMessage}
        </p>
      )}
      {length > COUNTER_FROM && (
        <p className="write__note num" data-wrong={isTooLong ? '' : undefined} role={isTooLong ? 'alert' : undefined}>
          {isTooLong
            ? formatText(texts.messageTooLong, {
                maxLength: CHAT_LIMITS.textLength.toLocaleString('en-US'),
                length: length.toLocaleString('en-US'),
              })
            : formatText(texts.charactersLeft, {
                characterCount: (CHAT_LIMITS.textLength - length).toLocaleString('en-US'),
              })}
        </p>
      )}
    </>
  );
}

/** Grows the input with its text in browsers whose CSS cannot. */
function useAutoGrow(text: string): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = text === '' ? '' : `${element.scrollHeight + 2}px`;
  }, [text]);
  return field;
}

function TextLine({ props, composer, isBackFromVoice, onSwap, onRecord }: TextLineProps) {
  const { onTyping, isTextOnly, canSetPrice, tip, placeholder = texts.message } = props;
  const { text, setText, attachments, isEmpty, canSend } = composer;
  const field = useAutoGrow(text);
  const micRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isBackFromVoice) micRef.current?.focus();
  }, [isBackFromVoice]);
  // A keyboard user who opens a conversation from the list gets the focus in the input.
  useEffect(() => {
    const isFromList = document.activeElement instanceof HTMLElement && document.activeElement.dataset.talk;
    if (isFromList && !isTouch()) field.current?.focus();
  }, [field]);
  const send = () => {
    if (!composer.send()) return;
    onSwap();
    field.current?.focus();
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouch()) return;
    event.preventDefault();
    send();
  };
  const handlePaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void attachments.add([...event.clipboardData.files]);
  };
  return (
    <ComposerForm
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      start={
        !isTextOnly && (
          <AttachMenu
            add={(files) => void attachments.add(files)}
            addUploads={canSetPrice ? (uploads) => void attachments.addUploads(uploads) : undefined}
            freeSlots={CHAT_LIMITS.files - attachments.files.length}
          />
        )
      }
      end={
        <>
          {tip}
          {isEmpty && !isTextOnly ? (
            <IconButton ref={micRef} icon="mic" label={texts.recordVoiceMessage} onClick={onRecord} />
          ) : (
            <>
              {composer.price > 0 && <span className="num text-note font-semibold">{formatUsd(composer.price)}</span>}
              <IconButton
                icon="send"
                label={texts.send}
                type="submit"
                disabled={!canSend || composer.fileWait.isWaiting}
              />
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
        onKeyDown={handleKeyDown}
        onPaste={handlePaste}
      />
    </ComposerForm>
  );
}
type TextLineProps = {
  props: MessageComposerProps;
  composer: ReturnType<typeof useComposer>;
  isBackFromVoice: boolean;
  onSwap: () => void;
  onRecord: () => void;
};

export function MessageComposer(props: MessageComposerProps) {
  const { onSend, canSetPrice, isTextOnly, renderAbove } = props;
  const composer = useComposer(props);
  const { attachments, terms, text, setText } = composer;
  const { files } = attachments;
  const isDropping = useFileDrop((dropped) => void attachments.add(dropped));
  const [voice, setVoice] = useState<'recording' | 'recorded'>();
  useEffect(() => runWhenIdle(() => void loadVoiceLine().catch(() => undefined)), []);
  const lastPress = useRef<MouseEvent>(null);
  const swapPress = useRef<MouseEvent>(null);
  const onSwap = () => {
    swapPress.current = lastPress.current;
  };
  const isSecondTap = (event: MouseEvent) => {
    const first = swapPress.current;
    return (
      first !== null &&
      event.timeStamp - first.timeStamp < DOUBLE_TAP_MS &&
      Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) < DOUBLE_TAP_PX
    );
  };
  const guard = {
    // Otherwise the focus would move to the element below the second tap.
    onMouseDownCapture: (event: MouseEvent) => {
      if (isSecondTap(event)) event.preventDefault();
    },
    onClickCapture: (event: MouseEvent) => {
      if (isSecondTap(event)) event.stopPropagation();
      else lastPress.current = event;
    },
  };
  if (voice === 'recording')
    return (
      <div className="write" {...guard}>
        <Suspense fallback={<div className="composer h-[61px]" aria-busy="true" />}>
          <VoiceLine
            onSwap={onSwap}
            onDone={(recording) => {
              setVoice('recorded');
              if (recording) onSend({ text: '', files: [], price: 0, isViewOnce: false, voice: recording });
            }}
          />
        </Suspense>
      </div>
    );
  return (
    <div className="write" data-composer="" {...guard}>
      {renderAbove?.(files.flatMap(({ mediaId }) => mediaId ?? []))}
      {isDropping && <div className="dropping">{texts.dropFilesHint}</div>}
      {!isTextOnly && (
        <SharedFiles
          onFiles={(shared) => void attachments.add(shared)}
          onText={(sharedText) => setText(appendText(text, sharedText))}
        />
      )}
      <ComposerFileTiles files={files} onRemove={attachments.remove} />
      {files.length > 0 && canSetPrice && <PriceAndViewOnce {...terms} />}
      <Notes {...composer} />
      <TextLine
        props={props}
        composer={composer}
        isBackFromVoice={voice === 'recorded'}
        onSwap={onSwap}
        onRecord={() => {
          onSwap();
          setVoice('recording');
        }}
      />
    </div>
  );
}

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { runWhenIdle } from '../../../../platform/idle.ts';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import { appendText, SharedFiles } from '../../../../platform/shared-files.tsx';
import { ComposerForm, ComposerInput } from '../../../../ui/bubble.tsx';
import { Button, IconButton } from '../../../../ui/button.tsx';
import * as texts from '../texts.ts';
import { AttachMenu, ComposerFileTiles, useFileDrop } from './composer-files.tsx';
import { PriceAndViewOnce } from './terms.tsx';
import { type ComposerOptions, useComposer } from './use-composer.ts';

const loadVoiceLine = () => import('./voice-line.tsx');
const VoiceLine = lazyPart(async () => (await loadVoiceLine()).VoiceLine);

export type MessageComposerProps = ComposerOptions & {
  tip?: ReactNode;
  /** The text of the button if sending means something else, such as scheduling. */
  sendText?: string | undefined;
  renderAbove?: (mediaIds: readonly string[]) => ReactNode;
  placeholder?: string;
};

/** Within this time a second tap on a button that replaced the tapped one is ignored as part of a double tap. */
const DOUBLE_TAP_MS = 400;
/** Largest distance between the two taps, in CSS pixels. */
const DOUBLE_TAP_PX = 28;
const COUNTER_FROM = CHAT_LIMITS.textLength - 500;

const isTouch = () => matchMedia('(pointer: coarse)').matches;

function Notes({
  mixedFilesMessage,
  length,
  isTooLong,
  isWaiting,
  stopWaiting,
}: Pick<ReturnType<typeof useComposer>, 'mixedFilesMessage' | 'length' | 'isTooLong' | 'isWaiting' | 'stopWaiting'>) {
  return (
    <>
      {isWaiting && (
        <p className="write__note flex items-center gap-x-3" role="status">
          {texts.sendingWhenReady}
          <Button variant="quiet" onClick={stopWaiting}>
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

function SendButton({ composer, text }: { composer: ReturnType<typeof useComposer>; text: string | undefined }) {
  const disabled = !composer.canSend || composer.isWaiting;
  if (text !== undefined)
    return (
      <Button type="submit" variant="primary" className="px-4!" disabled={disabled}>
        {text}
      </Button>
    );
  const label = composer.voice ? texts.sendVoiceMessage : texts.send;
  return <IconButton icon="send" label={label} type="submit" disabled={disabled} />;
}

function TextLine({ props, composer, isBackFromVoice, onSwap, onRecord }: TextLineProps) {
  const { onTyping, isTextOnly, canSetPrice, tip, placeholder = texts.message } = props;
  const { text, setText, attachments, isEmpty } = composer;
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
    attachments.add([...event.clipboardData.files]);
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
            add={attachments.add}
            addUploads={canSetPrice ? attachments.addUploads : undefined}
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
              {composer.price > 0 && (
                <span className="num grid min-h-11 items-center text-note font-semibold">
                  {formatUsd(composer.price)}
                </span>
              )}
              <SendButton composer={composer} text={props.sendText} />
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
  const { canSetPrice, isTextOnly, renderAbove } = props;
  const composer = useComposer(props);
  const { attachments, files, terms, text, setText } = composer;
  const isDropping = useFileDrop(attachments.add);
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
              if (recording) composer.sendVoice(recording);
            }}
            onInterrupted={composer.keepVoice}
          />
        </Suspense>
      </div>
    );
  return (
    <div className="write" data-composer="" {...guard}>
      {isDropping && <div className="dropping">{texts.dropFilesHint}</div>}
      {!isTextOnly && (
        <SharedFiles onFiles={attachments.add} onText={(sharedText) => setText(appendText(text, sharedText))} />
      )}
      <div className="write__more">
        {renderAbove?.(files.flatMap(({ mediaId }) => mediaId ?? []))}
        <ComposerFileTiles
          files={files}
          voice={composer.voice}
          onRemove={attachments.remove}
          onRemoveVoice={composer.discardVoice}
        />
        {files.length > 0 && canSetPrice && <PriceAndViewOnce {...terms} />}
        <Notes {...composer} />
      </div>
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

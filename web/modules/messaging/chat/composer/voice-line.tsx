import { useEffect, useRef } from 'react';
import { formatDuration } from '../../../../platform/dates.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import * as texts from '../texts.ts';
import { useRecorder, type VoiceRecording } from './use-recorder.ts';

/**
 * `onSwap` runs when send or cancel is pressed and the composer returns in the same position. `onInterrupted` receives
 * the recording if the conversation is left while it runs.
 */
export function VoiceLine({
  onSwap,
  onDone,
  onInterrupted,
}: {
  onSwap: () => void;
  onDone: (voice: VoiceRecording | undefined) => void;
  onInterrupted: (voice: VoiceRecording) => void;
}) {
  const recorder = useRecorder(onInterrupted);
  const { state, seconds, levels, failure, start, finish, cancel } = recorder;
  const startRef = useRef(start);
  const fieldsetRef = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    void startRef.current();
    fieldsetRef.current?.focus();
  }, []);
  const discard = () => {
    onSwap();
    cancel();
    onDone(undefined);
  };
  const send = async () => {
    onSwap();
    onDone(await finish());
  };
  if (failure)
    return (
      <div className="write__stop">
        <p role="alert">{failure}</p>
        <div className="write__acts">
          <Button onClick={() => void start()}>{texts.tryAgain}</Button>
          <Button variant="quiet" onClick={discard}>
            {texts.backToText}
          </Button>
        </div>
      </div>
    );
  return (
    <fieldset
      ref={fieldsetRef}
      tabIndex={-1}
      className="composer min-w-0 items-center!"
      aria-label={texts.voiceMessage}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // The call around this thread stays open.
        event.preventDefault();
        discard();
      }}
    >
      <IconButton icon="trash" label={texts.discardRecording} onClick={discard} />
      <span className="num flex-none px-1 font-semibold" role="timer">
        {state === 'requesting' ? texts.waitingForMicrophone : formatDuration(seconds)}
      </span>
      <span className="wave" aria-hidden="true">
        {levels.map((level, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars without identity
          <i key={index} style={{ height: `${Math.max(8, level * 100)}%` }} />
        ))}
      </span>
      <IconButton
        icon="send"
        label={texts.sendVoiceMessage}
        disabled={state !== 'recording'}
        onClick={() => void send()}
      />
    </fieldset>
  );
}

import { useEffect, useRef } from 'react';
import { formatDuration } from '../../../kernel/dates.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { type Recorded, useRecorder } from './use-recorder.ts';

/** `onTurn` runs when send or cancel is pressed and the composer returns in the same position. */
export function VoiceLine({ onTurn, onDone }: { onTurn: () => void; onDone: (voice: Recorded | undefined) => void }) {
  const recorder = useRecorder();
  const { state, seconds, levels, failure, start, finish, cancel } = recorder;
  const begin = useRef(start);
  const line = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    void begin.current();
    line.current?.focus();
  }, []);
  const leave = () => {
    onTurn();
    cancel();
    onDone(undefined);
  };
  const send = async () => {
    onTurn();
    onDone(await finish());
  };
  if (failure)
    return (
      <div className="write__stop">
        <p role="alert">{failure}</p>
        <div className="write__acts">
          <Button onClick={() => void start()}>Try again</Button>
          <Button variant="quiet" onClick={leave}>
            Back to text
          </Button>
        </div>
      </div>
    );
  return (
    <fieldset
      ref={line}
      tabIndex={-1}
      className="composer min-w-0 items-center!"
      aria-label="Voice message"
      onKeyDown={(event) => event.key === 'Escape' && leave()}
    >
      <IconButton icon="trash" label="Discard recording" onClick={leave} />
      <span className="num flex-none px-1 font-semibold" role="timer">
        {state === 'asking' ? 'Waiting for the microphone' : formatDuration(seconds)}
      </span>
      <span className="wave" aria-hidden="true">
        {levels.map((level, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars without identity
          <i key={index} style={{ height: `${Math.max(8, level * 100)}%` }} />
        ))}
      </span>
      <IconButton icon="send" label="Send voice message" disabled={state !== 'recording'} onClick={() => void send()} />
    </fieldset>
  );
}

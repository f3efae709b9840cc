import type { MouseEvent, ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ActionBar } from '../../../ui/shell.tsx';
import * as texts from './texts.ts';

/**
 * A press on the bar would blur the field, so that the tab bar returned under the finger and the button moved away
 * before the press ended. On touch screens the field therefore keeps the focus.
 */
function preventBlur(event: MouseEvent): void {
  const isTyping = document.activeElement?.matches('input, textarea') ?? false;
  if (isTyping && window.matchMedia('(pointer: coarse)').matches) event.preventDefault();
}

export function PublishBar({ failure, children }: { failure: string | undefined; children: ReactNode }) {
  return (
    <ActionBar>
      {/* Above the button, because below it the message would be off screen on a small display. */}
      {failure !== undefined && (
        <p role="alert" className="pb-2 text-small text-danger">
          {failure}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it decides nothing, but keeps the focus where it is */}
      <div className="flex flex-wrap gap-2" onMouseDown={preventBlur}>
        {children}
      </div>
    </ActionBar>
  );
}

export type SubmitButtonProps = {
  label: string;
  busyText: string;
  isBusy: boolean;
  /** Shown instead while the submission waits for files. */
  waitingText: string;
  isWaiting: boolean;
  onCancel: () => void;
};

/** While the submission waits, Cancel is next to it, or below with large text. Screen readers announce the wait. */
export function SubmitButton({ label, busyText, isBusy, waitingText, isWaiting, onCancel }: SubmitButtonProps) {
  return (
    <>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        wide
        className="flex-[99_1_8rem]"
        busy={isBusy || isWaiting}
        busyText={isWaiting ? waitingText : busyText}
      >
        {label}
      </Button>
      {isWaiting && (
        <Button size="lg" className="flex-auto" onClick={onCancel}>
          {texts.cancelWaiting}
        </Button>
      )}
      <span role="status" className="sr-only">
        {isWaiting && waitingText}
      </span>
    </>
  );
}

import type { MouseEvent, ReactNode } from 'react';
import { ActionBar } from '../../../ui/shell.tsx';

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
      <div className="flex gap-2" onMouseDown={preventBlur}>
        {children}
      </div>
    </ActionBar>
  );
}

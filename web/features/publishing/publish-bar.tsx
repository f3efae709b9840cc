/** The composer's decision, above the keyboard or the tab bar. */
import type { MouseEvent, ReactNode } from 'react';
import { ActionBar } from '../../ui/shell.tsx';

/**
 * A press on the bar would end typing first: the tab bar would come back under the finger, and the button be gone from it before
 * it is let go. So where fingers press, the field keeps the focus until something else takes it.
 */
function keepTyping(event: MouseEvent): void {
  const isTyping = document.activeElement?.matches('input, textarea') ?? false;
  if (isTyping && window.matchMedia('(pointer: coarse)').matches) event.preventDefault();
}

export function PublishBar({ failure, children }: { failure: string | undefined; children: ReactNode }) {
  return (
    <ActionBar>
      {/* Above what was pressed: below it would be out of sight on a low screen. */}
      {failure !== undefined && (
        <p role="alert" className="pb-2 text-small text-danger">
          {failure}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it decides nothing, but keeps the focus where it is */}
      <div className="flex gap-2" onMouseDown={keepTyping}>
        {children}
      </div>
    </ActionBar>
  );
}

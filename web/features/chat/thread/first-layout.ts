/**
 * The layout that each message had when it was first shown in an open thread. A message that is unlocked or becomes ready does not
 * change it, so that nothing below moves. Rows leave the page while they are out of sight, so the thread remembers it for them.
 */
import { createContext, useContext, useState } from 'react';

export type FirstLayout = {
  isLocked: boolean;
  /** Whether it shows pictures or videos at all. */
  hasShots: boolean;
  /** How many boxes for pictures and videos it has, and the CSS ratio of a single one. */
  shots: { count: number; reserved: string };
};

export type FirstLayouts = { [Part in keyof FirstLayout]: Map<string, FirstLayout[Part]> };

export function createFirstLayouts(): FirstLayouts {
  return { isLocked: new Map(), hasShots: new Map(), shots: new Map() };
}

/** Without it, a message remembers its layout for as long as its row is in the page. */
export const FirstLayoutsContext = createContext<FirstLayouts | undefined>(undefined);

/** Returns the value that was current when the message was first shown in this thread. */
export function useFirstLayout<Part extends keyof FirstLayout>(
  part: Part,
  messageId: string,
  current: FirstLayout[Part],
): FirstLayout[Part] {
  const layouts = useContext(FirstLayoutsContext);
  const [first] = useState(() => {
    const known: Map<string, FirstLayout[Part]> | undefined = layouts?.[part];
    const value = known?.get(messageId) ?? current;
    known?.set(messageId, value);
    return value;
  });
  return first;
}

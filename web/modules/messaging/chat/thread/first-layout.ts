/**
 * Remembers the layout that each message first had in an open thread. A message that is unlocked or becomes ready keeps
 * it, so that nothing below moves. The thread stores it because rows outside the screen are unmounted.
 */
import { createContext, useContext, useState } from 'react';

export type FirstLayout = {
  isLocked: boolean;
  hasMedia: boolean;
  /** How many boxes for pictures and videos there are, and the CSS aspect ratio of a single one. */
  shots: { count: number; reserved: string };
};

export type FirstLayouts = { [Part in keyof FirstLayout]: Map<string, FirstLayout[Part]> };

export function createFirstLayouts(): FirstLayouts {
  return { isLocked: new Map(), hasMedia: new Map(), shots: new Map() };
}

export const FirstLayoutsContext = createContext<FirstLayouts | undefined>(undefined);

export function useFirstLayout<Part extends keyof FirstLayout>(
  part: Part,
  messageId: string,
  current: FirstLayout[Part],
): FirstLayout[Part] {
  const layouts = useContext(FirstLayoutsContext);
  const [first] = useState(() => {
    const layoutById: Map<string, FirstLayout[Part]> | undefined = layouts?.[part];
    const value = layoutById?.get(messageId) ?? current;
    layoutById?.set(messageId, value);
    return value;
  });
  return first;
}

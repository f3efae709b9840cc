/** Putting a list in order by hand: by dragging a handle, or with the arrow keys on it. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

export type Reorder = {
  /** The list's `ref`. */
  setList(list: HTMLOListElement | null): void;
  dragged: string | undefined;
  /** What just happened, to be read out. */
  said: string;
  handle(key: string): {
    'data-handle': string;
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(): void;
    onPointerCancel(): void;
    onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  };
  /** As a button does it. */
  step(key: string, to: number): void;
};

/** Where in the list a height on the screen is: before how many of the other rows' middles. */
export function placeAt(y: number, others: readonly { top: number; height: number }[]): number {
  return others.filter(({ top, height }) => y > top + height / 2).length;
}

export function useReorder(keys: readonly string[], move: (key: string, to: number) => void): Reorder {
  const [list, setList] = useState<HTMLOListElement | null>(null);
  const focused = useRef<string | undefined>(undefined);
  const [dragged, setDragged] = useState<string | undefined>();
  const [said, setSaid] = useState('');

  // A row that is moved in the document loses the focus.
  const order = keys.join(' ');
  useEffect(() => {
    if (focused.current === undefined || order === '') return;
    list?.querySelector<HTMLElement>(`[data-handle="${focused.current}"]`)?.focus();
    focused.current = undefined;
  }, [order, list]);

  const step = (key: string, to: number) => {
    if (to < 0 || to >= keys.length) return;
    move(key, to);
    setSaid(`Now number ${to + 1} of ${keys.length}.`);
  };

  return {
    setList,
    dragged,
    said,
    step,
    handle: (key) => ({
      'data-handle': key,
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(key);
      },
      onPointerMove: (event) => {
        if (dragged !== key || !list) return;
        const rows = [...list.children].filter((_, index) => keys[index] !== key);
        const to = placeAt(
          event.clientY,
          rows.map((row) => row.getBoundingClientRect()),
        );
        if (keys[to] !== key) move(key, to);
      },
      onPointerUp: () => setDragged(undefined),
      onPointerCancel: () => setDragged(undefined),
      onKeyDown: (event) => {
        const from = keys.indexOf(key);
        const to = new Map([
          ['ArrowUp', from - 1],
          ['ArrowDown', from + 1],
          ['Home', 0],
          ['End', keys.length - 1],
        ]).get(event.key);
        if (to === undefined) return;
        event.preventDefault();
        focused.current = key;
        step(key, to);
      },
    }),
  };
}

/** Reorders a row by dragging with a mouse or with the arrow keys. Touch scrolls the row. */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import * as texts from './texts.ts';

export type Reorder = {
  setList(list: HTMLOListElement | null): void;
  dragged: string | undefined;
  announcement: string;
  handle(key: string): {
    'data-handle': string;
    onPointerDown(event: PointerEvent<HTMLElement>): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerUp(): void;
    onPointerCancel(): void;
    onClickCapture(event: MouseEvent<HTMLElement>): void;
    onDragStart(event: DragEvent<HTMLElement>): void;
    onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  };
  moveStep(key: string, to: number): void;
};

const DRAG_PX = 6;

/** The index in the list for a horizontal position: the number of items whose centre is to its left. */
export function getIndexAt(x: number, others: readonly { left: number; width: number }[]): number {
  return others.filter(({ left, width }) => x > left + width / 2).length;
}

export function useReorder(keys: readonly string[], move: (key: string, to: number) => void): Reorder {
  const [list, setList] = useState<HTMLOListElement | null>(null);
  const focused = useRef<string | undefined>(undefined);
  const [dragged, setDragged] = useState<string | undefined>();
  const press = useRef<{ key: string; x: number; hasMoved: boolean } | undefined>(undefined);
  const [announcement, setAnnouncement] = useState('');

  // An element that is moved in the document loses the focus.
  const order = keys.join(' ');
  useEffect(() => {
    if (focused.current === undefined || order === '') return;
    list?.querySelector<HTMLElement>(`[data-handle="${focused.current}"]`)?.focus();
    focused.current = undefined;
  }, [order, list]);

  const moveStep = (key: string, to: number) => {
    if (to < 0 || to >= keys.length) return;
    move(key, to);
    setAnnouncement(formatText(texts.movedToPosition, { position: to + 1, count: keys.length }));
  };

  return {
    setList,
    dragged,
    announcement,
    moveStep,
    handle: (key) => ({
      'data-handle': key,
      onPointerDown: (event) => {
        press.current = undefined;
        if (event.button !== 0 || event.pointerType === 'touch') return;
        // A fast pointer may have left the element before the first move event.
        event.currentTarget.setPointerCapture(event.pointerId);
        press.current = { key, x: event.clientX, hasMoved: false };
      },
      onPointerMove: (event) => {
        const current = press.current;
        if (current?.key !== key || !list || event.buttons === 0) return;
        if (!current.hasMoved && Math.abs(event.clientX - current.x) < DRAG_PX) return;
        current.hasMoved = true;
        setDragged(key);
        const rows = [...list.children].filter((_, index) => keys[index] !== key);
        const to = getIndexAt(
          event.clientX,
          rows.map((row) => row.getBoundingClientRect()),
        );
        if (keys[to] !== key) move(key, to);
      },
      onPointerUp: () => setDragged(undefined),
      onPointerCancel: () => setDragged(undefined),
      // Prevents the browser's own image dragging.
      onDragStart: (event) => event.preventDefault(),
      onClickCapture: (event) => {
        if (!press.current?.hasMoved) return;
        press.current = undefined;
        event.stopPropagation();
      },
      onKeyDown: (event) => {
        const from = keys.indexOf(key);
        const to = new Map([
          ['ArrowLeft', from - 1],
          ['ArrowRight', from + 1],
          ['Home', 0],
          ['End', keys.length - 1],
        ]).get(event.key);
        if (to === undefined) return;
        event.preventDefault();
        focused.current = key;
        moveStep(key, to);
      },
    }),
  };
}

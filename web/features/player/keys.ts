/** What a key does to a player that has the focus. */

export type KeyAction =
  | { kind: 'toggle' | 'mute' | 'fullscreen' | 'captions' }
  | { kind: 'by'; seconds: number }
  | { kind: 'to'; share: number }
  | { kind: 'volume'; by: number }
  | { kind: 'rate'; step: 1 | -1 };

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  ' ': { kind: 'toggle' },
  k: { kind: 'toggle' },
  m: { kind: 'mute' },
  f: { kind: 'fullscreen' },
  c: { kind: 'captions' },
  j: { kind: 'by', seconds: -10 },
  l: { kind: 'by', seconds: 10 },
  arrowleft: { kind: 'by', seconds: -5 },
  arrowright: { kind: 'by', seconds: 5 },
  arrowup: { kind: 'volume', by: 0.05 },
  arrowdown: { kind: 'volume', by: -0.05 },
  home: { kind: 'to', share: 0 },
  end: { kind: 'to', share: 1 },
  '<': { kind: 'rate', step: -1 },
  '>': { kind: 'rate', step: 1 },
};

/** Nothing for keys that are not ours, and for any together with Ctrl, Alt or Cmd: those are the browser's. */
export function actionOf({ key, ctrlKey, metaKey, altKey }: Key): KeyAction | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (/^\d$/.test(key)) return { kind: 'to', share: Number(key) / 10 };
  return ACTIONS[key.toLowerCase()];
}

const OF_RANGES = /^(?:Arrow|Page|Home|End)/;

/** Whether an element answers this key itself: a button to Space, a range to arrows, a text field to letters. */
export function isAnsweredBy(target: Element, key: string): boolean {
  if (target.closest('input:not([type="range"]), textarea, select, [contenteditable], [role="menu"]')) return true;
  if (OF_RANGES.test(key) && target.closest('input[type="range"]')) return true;
  if (key === ' ' || key === 'Enter') return target.closest('button, a, [role="menuitemradio"]') !== null;
  return false;
}

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

/** Undefined for other keys and for combinations with Ctrl, Alt or Cmd, which belong to the browser. */
export function findKeyAction({ key, ctrlKey, metaKey, altKey }: Key): KeyAction | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (/^\d$/.test(key)) return { kind: 'to', share: Number(key) / 10 };
  return ACTIONS[key.toLowerCase()];
}

const RANGE_KEYS = /^(?:Arrow|Page|Home|End)/;

/** Whether an element handles the key itself: a button Space, a range input arrows, a text input letters. */
export function isHandledBy(target: Element, key: string): boolean {
  if (target.closest('input:not([type="range"]), textarea, select, [contenteditable], [role="menu"]')) return true;
  if (RANGE_KEYS.test(key) && target.closest('input[type="range"]')) return true;
  if (key === ' ' || key === 'Enter') return target.closest('button, a, [role="menuitemradio"]') !== null;
  return false;
}

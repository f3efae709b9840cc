import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hasTypedDialogText, watchTypedText } from './typed-text.ts';
import { hasUnsavedChanges } from './unsaved.ts';

class Control extends EventTarget {
  type = 'text';
  value = '';
  isConnected = true;
  isVisible = true;
  dialog: object | null = {};
  checkVisibility = () => this.isVisible;
  closest = () => this.dialog;
}

let events: EventTarget;
let stop: () => void;
beforeEach(() => {
  events = new EventTarget();
  vi.stubGlobal('HTMLInputElement', Control);
  vi.stubGlobal('HTMLTextAreaElement', class {});
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
  stop = watchTypedText();
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

function type(control: Control, value: string): void {
  control.value = value;
  events.dispatchEvent(Object.defineProperty(new Event('input'), 'target', { value: control }));
}

test('text in an open dialog counts as unsaved until it is deleted or the dialog closes', () => {
  const note = new Control();
  expect(hasUnsavedChanges()).toBe(false);
  type(note, 'For the encore');
  expect([hasTypedDialogText(), hasUnsavedChanges()]).toEqual([true, true]);
  type(note, '');
  expect(hasUnsavedChanges()).toBe(false);
  type(note, 'Again');
  note.isConnected = false;
  expect(hasUnsavedChanges()).toBe(false);
});

test('text outside of dialogs, in a hidden one, and choices do not count', () => {
  type(Object.assign(new Control(), { dialog: null }), 'A search');
  type(Object.assign(new Control(), { isVisible: false }), 'A filter');
  type(Object.assign(new Control(), { type: 'checkbox' }), 'on');
  expect(hasTypedDialogText()).toBe(false);
});

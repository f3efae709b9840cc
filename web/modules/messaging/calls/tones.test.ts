/** Tests the call tones (row F5). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { playTone } from './tones.ts';

let notes = 0;
let volumes: number[] = [];
let firstState = 'running';
let isTouched = false;

class FakeAudio {
  state = firstState;
  currentTime = 0;
  destination = { isOut: true };
  onstatechange: (() => void) | null = null;
  createGain = () => {
    const gain = { value: 1, setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined };
    const connect = (node: object) => {
      if ('isOut' in node) volumes.push(gain.value);
      return node;
    };
    return { gain, connect };
  };
  createOscillator = () => ({
    type: '',
    frequency: { value: 0 },
    connect: (node: unknown) => node,
    start: () => {
      notes += 1;
    },
    stop: () => undefined,
  });
  resume = async () => {
    if (!isTouched) return;
    this.state = 'running';
    this.onstatechange?.();
  };
  close = async () => {
    this.state = 'closed';
  };
}

const listeners = new Map<string, () => void>();

beforeEach(() => {
  vi.useFakeTimers();
  [notes, volumes, firstState, isTouched] = [0, [], 'running', false];
  listeners.clear();
  vi.stubGlobal('AudioContext', FakeAudio);
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => listeners.set(name, listener));
  vi.stubGlobal('removeEventListener', (name: string) => listeners.delete(name));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['dialing', 2],
  ['incoming', 6],
] as const)('%s plays at half volume every three seconds until it is stopped', (name, notesPerRound) => {
  const stop = playTone(name);
  expect(volumes).toEqual([0.5]);
  expect(notes).toBe(notesPerRound);
  vi.advanceTimersByTime(6_000);
  expect(notes).toBe(3 * notesPerRound);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(notes).toBe(3 * notesPerRound);
});

test('the speaker test plays once', () => {
  playTone('test');
  vi.advanceTimersByTime(120_000);
  expect(notes).toBe(3);
});

test('a tone starts with the first touch when the browser blocks autoplay', () => {
  firstState = 'suspended';
  const stop = playTone('incoming');
  expect(notes).toBe(0);
  isTouched = true;
  listeners.get('pointerdown')?.();
  expect(notes).toBe(6);
  stop();
});

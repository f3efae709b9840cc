import { beforeEach, expect, test, vi } from 'vitest';
import { pauseOutOfView } from './exclusive-playback.ts';

let observed: unknown[];
let report: (isIntersecting: boolean) => void;
beforeEach(() => {
  observed = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        report = (isIntersecting) => callback([{ isIntersecting }]);
      }
      observe(target: unknown) {
        observed.push(target);
      }
      disconnect() {
        report = () => undefined;
      }
    },
  );
  vi.stubGlobal('document', { pictureInPictureElement: null, fullscreenElement: null });
});

test('media pauses when its frame leaves the view, and not because it was never in view', () => {
  const pause = vi.fn();
  const element = { pause } as unknown as HTMLMediaElement;
  const frame = {} as unknown as Element;
  const stop = pauseOutOfView(element, frame);
  expect(observed).toEqual([frame]);
  report(false);
  expect(pause).not.toHaveBeenCalled();
  report(true);
  report(false);
  expect(pause).toHaveBeenCalledTimes(1);
  report(true);
  stop();
  report(false);
  expect(pause).toHaveBeenCalledTimes(1);
});

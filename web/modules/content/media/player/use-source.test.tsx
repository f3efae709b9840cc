import type { Stream } from '@stagedoor/contract/content/pictures.ts';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PlayerSource, type RenewStream, useSource } from './use-source.ts';

class MediaElement extends EventTarget {
  src = '';
  paused = true;
  currentTime = 0;
  play = vi.fn(async () => {
    this.paused = false;
  });
  pause = () => {
    this.paused = true;
  };
  load = () => undefined;
  removeAttribute = () => undefined;
}

const toStream = (file: string): Stream => ({
  ...{ hls: null, file, fileType: 'video/mp4', sprite: null, waveform: [], isLoop: false, captions: [] },
});

type ProbeProps = {
  element: HTMLMediaElement;
  stream: Stream;
  renew: RenewStream;
  onRender: (source: PlayerSource) => void;
};
function SourceProbe({ element, stream, renew, onRender }: ProbeProps) {
  onRender(useSource(element, stream, { startAt: 0, renew }));
  return null;
}

const sources: PlayerSource[] = [];

let show: (props: Omit<ProbeProps, 'onRender'>) => Promise<void>;
beforeEach(() => {
  const document = Object.assign(new EventTarget(), { nodeType: 9, activeElement: null, defaultView: globalThis });
  const body = Object.assign(new EventTarget(), { nodeType: 1, tagName: 'BODY', ownerDocument: document });
  vi.stubGlobal('window', globalThis);
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, vi.fn());
  vi.stubGlobal('document', Object.assign(document, { body }));
  vi.stubGlobal('HTMLIFrameElement', class {});
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', async () => new Response(null, { status: 404 }));
  const root = createRoot(body as unknown as HTMLElement);
  show = (props) =>
    act(async () => root.render(<SourceProbe {...props} onRender={(source) => sources.push(source)} />));
});
afterEach(() => void vi.unstubAllGlobals());

const fail = (media: MediaElement) => act(async () => void media.dispatchEvent(new Event('error')));

test('a refused stream plays on with the addresses that the page has received meanwhile', async () => {
  const media = new MediaElement();
  const element = media as unknown as HTMLMediaElement;
  const renew = vi.fn<RenewStream>(async () => null);
  await show({ element, stream: toStream('/first.mp4'), renew });
  expect(media.src).toBe('/first.mp4');
  expect(media.play).toHaveBeenCalledTimes(1);

  await show({ element, stream: toStream('/better.mp4'), renew });
  expect(media.src).toBe('/first.mp4');
  await fail(media);
  await vi.waitFor(() => expect(media.src).toBe('/better.mp4'));
  await vi.waitFor(() => expect(media.play).toHaveBeenCalledTimes(2));
  expect(renew).not.toHaveBeenCalled();
  expect(sources.at(-1)?.problem).toBeUndefined();
});

test('a refused stream without other addresses is renewed once, and ends if access has ended', async () => {
  const media = new MediaElement();
  const element = media as unknown as HTMLMediaElement;
  const renew = vi.fn<RenewStream>(async () => null);
  await show({ element, stream: toStream('/first.mp4'), renew });
  await fail(media);
  await vi.waitFor(() => expect(sources.at(-1)?.problem).toBe('ended'));
  expect(renew).toHaveBeenCalledTimes(1);
  expect(media.paused).toBe(true);
});

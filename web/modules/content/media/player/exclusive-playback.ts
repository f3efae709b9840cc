/** Starting one media element pauses the others in all tabs. A hidden tab pauses too (row C10). */

import { tryOpenChannel } from '../../../../platform/broadcast-channel.ts';

const CHANNEL = 'playing';
let playing: HTMLMediaElement | undefined;
let channel: BroadcastChannel | undefined;

function isInPictureInPicture(element: HTMLMediaElement): boolean {
  return document.pictureInPictureElement === element;
}

function openChannel(): BroadcastChannel | undefined {
  channel ??= tryOpenChannel(CHANNEL);
  if (channel) channel.onmessage = () => playing?.pause();
  return channel;
}

function pauseWhenHidden(): void {
  if (document.hidden && playing && !isInPictureInPicture(playing)) playing.pause();
}

function startPlaying(element: HTMLMediaElement): void {
  if (playing !== element) playing?.pause();
  if (!playing) document.addEventListener('visibilitychange', pauseWhenHidden);
  playing = element;
  openChannel()?.postMessage('');
}

/** Applies the rule to an element. Returns the function that removes it. */
export function pauseOthersOnPlay(element: HTMLMediaElement): () => void {
  openChannel();
  const play = () => startPlaying(element);
  element.addEventListener('play', play);
  return () => {
    element.removeEventListener('play', play);
    if (playing !== element) return;
    playing = undefined;
    document.removeEventListener('visibilitychange', pauseWhenHidden);
  };
}

/**
 * Pauses an element when its frame is scrolled out of view, unless it is in picture-in-picture or full screen. The frame
 * is observed instead of the element, because an audio element without controls has no box and so is never in view.
 * Returns the function that stops it.
 */
export function pauseOutOfView(element: HTMLMediaElement, frame: Element): () => void {
  let wasInView = false;
  const observer = new IntersectionObserver((entries) => {
    const isInView = entries.at(-1)?.isIntersecting === true;
    if (wasInView && !isInView && !isInPictureInPicture(element) && !document.fullscreenElement) element.pause();
    wasInView = isInView;
  });
  observer.observe(frame);
  return () => observer.disconnect();
}

/** Starting one media element pauses the others in all tabs. A hidden tab pauses too (row C10). */

const CHANNEL = 'playing';
let playing: HTMLMediaElement | undefined;
let channel: BroadcastChannel | undefined;

function isInPictureInPicture(element: HTMLMediaElement): boolean {
  return document.pictureInPictureElement === element;
}

function openChannel(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === 'undefined') return channel;
  channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => playing?.pause();
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
 * Pauses an element that is scrolled out of view, unless it is in picture-in-picture or full screen. Returns the
 * function that stops it.
 */
export function pauseOutOfView(element: HTMLMediaElement): () => void {
  const observer = new IntersectionObserver((entries) => {
    const last = entries.at(-1);
    if (last && !last.isIntersecting && !isInPictureInPicture(element) && !document.fullscreenElement) element.pause();
  });
  observer.observe(element);
  return () => observer.disconnect();
}

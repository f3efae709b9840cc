/** Row C10: starting one media pauses the others, in this tab and in others; a hidden tab pauses. Whatever plays says so here. */

const CHANNEL = 'playing';
let playing: HTMLMediaElement | undefined;
let channel: BroadcastChannel | undefined;

/** What a person still watches in a window of its own goes on. */
function isInWindowOfItsOwn(element: HTMLMediaElement): boolean {
  return document.pictureInPictureElement === element;
}

function others(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === 'undefined') return channel;
  channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => playing?.pause();
  return channel;
}

function pauseWhenHidden(): void {
  if (document.hidden && playing && !isInWindowOfItsOwn(playing)) playing.pause();
}

function begin(element: HTMLMediaElement): void {
  if (playing !== element) playing?.pause();
  if (!playing) document.addEventListener('visibilitychange', pauseWhenHidden);
  playing = element;
  others()?.postMessage('');
}

/** Puts an element under the rule. Answers the function that takes it out again. */
export function playAlone(element: HTMLMediaElement): () => void {
  others();
  const play = () => begin(element);
  element.addEventListener('play', play);
  return () => {
    element.removeEventListener('play', play);
    if (playing !== element) return;
    playing = undefined;
    document.removeEventListener('visibilitychange', pauseWhenHidden);
  };
}

/** Pauses an element once it is scrolled out of view, unless it is watched in a window of its own. */
export function pauseOutOfView(element: HTMLMediaElement): () => void {
  const observer = new IntersectionObserver((entries) => {
    const last = entries.at(-1);
    if (last && !last.isIntersecting && !isInWindowOfItsOwn(element) && !document.fullscreenElement) element.pause();
  });
  observer.observe(element);
  return () => observer.disconnect();
}

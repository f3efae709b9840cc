/** Commands for a media element from buttons, keys and menus. Each returns the text to announce, if any. */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { localStore } from '../../../../platform/browser-storage.ts';
import * as texts from '../texts.ts';
import type { KeyAction } from './key-actions.ts';
import { clampVolume, getNextRate, readPlayerSettings, savePlayerSettings } from './player-settings.ts';

export function togglePlay(element: HTMLMediaElement): void {
  if (element.paused || element.ended) void element.play().catch(() => undefined);
  else element.pause();
}

export function applyPlayerSettings(element: HTMLMediaElement): void {
  const { volume, isMuted, rate } = readPlayerSettings(localStore);
  element.volume = volume;
  element.muted = isMuted;
  // Reloading an element resets its speed to the default.
  element.defaultPlaybackRate = rate;
  element.playbackRate = rate;
}

export function showCaptions({ textTracks }: HTMLMediaElement, language: string): void {
  for (const track of textTracks) track.mode = language !== '' && track.language === language ? 'showing' : 'disabled';
}

/** Works before the duration is known. */
export function goTo(element: HTMLMediaElement, seconds: number): void {
  element.currentTime = seconds;
}

/** Clamped to the duration. */
export function seekTo(element: HTMLMediaElement, seconds: number): void {
  if (!Number.isFinite(element.duration)) return;
  element.currentTime = Math.min(Math.max(0, seconds), element.duration);
}

export function setVolume(element: HTMLMediaElement, volume: number): string {
  element.volume = clampVolume(Math.round(volume * 100) / 100);
  element.muted = element.volume === 0;
  savePlayerSettings(localStore, { volume: element.volume, isMuted: element.muted });
  return formatText(texts.volumePercent, { volume: Math.round(element.volume * 100) });
}

export function toggleMuted(element: HTMLMediaElement): string {
  element.muted = !element.muted;
  // Unmuting at volume 0 would stay silent.
  if (!element.muted && element.volume === 0) element.volume = 1;
  savePlayerSettings(localStore, { volume: element.volume, isMuted: element.muted });
  return element.muted ? texts.muted : texts.unmuted;
}

export function setRate(element: HTMLMediaElement, rate: number): string {
  element.playbackRate = rate;
  element.defaultPlaybackRate = rate;
  savePlayerSettings(localStore, { rate });
  return formatText(texts.speedRate, { rate });
}

export async function toggleFullscreen(frame: HTMLElement, element: HTMLMediaElement): Promise<void> {
  if (document.fullscreenElement === frame) await document.exitFullscreen();
  else if ('requestFullscreen' in frame) await frame.requestFullscreen();
  // iPhones support full screen only for the video itself, with native controls.
  else if ('webkitEnterFullscreen' in element && typeof element.webkitEnterFullscreen === 'function')
    element.webkitEnterFullscreen();
}

export async function togglePictureInPicture(video: HTMLVideoElement): Promise<void> {
  if (document.pictureInPictureElement === video) await document.exitPictureInPicture();
  else await video.requestPictureInPicture();
}

export function runKeyAction(element: HTMLMediaElement, action: KeyAction): string | undefined {
  switch (action.kind) {
    case 'toggle':
      togglePlay(element);
      return undefined;
    case 'by':
      seekTo(element, element.currentTime + action.seconds);
      return undefined;
    case 'to':
      seekTo(element, action.share * element.duration);
      return undefined;
    case 'volume':
      return setVolume(element, element.volume + action.by);
    case 'mute':
      return toggleMuted(element);
    case 'rate':
      return setRate(element, getNextRate(element.playbackRate, action.step));
    default:
      return undefined;
  }
}

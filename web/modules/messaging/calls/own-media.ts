/**
 * The state of this tab's own camera and microphone: opened for the check before a call and released after the call.
 */
import { useSyncExternalStore } from 'react';
import {
  type DeviceLists,
  type DeviceTrouble,
  listDevices,
  NO_DEVICES,
  openCameraTrack,
  openMicrophoneTrack,
} from './local-media.ts';

export type OwnCallMedia = {
  microphone: MediaStreamTrack | undefined;
  camera: MediaStreamTrack | undefined;
  isMuted: boolean;
  isCameraOff: boolean;
  microphoneTrouble: DeviceTrouble | undefined;
  cameraTrouble: DeviceTrouble | undefined;
  devices: DeviceLists;
  speaker: string;
};

const NO_OWN_MEDIA: OwnCallMedia = {
  microphone: undefined,
  camera: undefined,
  isMuted: false,
  isCameraOff: false,
  microphoneTrouble: undefined,
  cameraTrouble: undefined,
  devices: NO_DEVICES,
  speaker: '',
};

let ownState = NO_OWN_MEDIA;
/** Identifies the latest opening. Tracks from an earlier one are stopped. */
let latestOpening = 0;
const listeners = new Set<() => void>();

function updateOwnMedia(part: Partial<OwnCallMedia>): void {
  ownState = { ...ownState, ...part };
  for (const listener of listeners) listener();
}

export function getOwnMedia(): OwnCallMedia {
  return ownState;
}

export function subscribeOwnMedia(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useOwnMedia(): OwnCallMedia {
  return useSyncExternalStore(subscribeOwnMedia, getOwnMedia, () => NO_OWN_MEDIA);
}

async function refreshDevices(): Promise<void> {
  const devices = await listDevices().catch(() => NO_DEVICES);
  updateOwnMedia({ devices });
}

const refresh = () => void refreshDevices();

async function replaceMicrophone(id: string | undefined, opening: number): Promise<void> {
  const opened = await openMicrophoneTrack(id);
  if (!('track' in opened))
    return opening === latestOpening ? updateOwnMedia({ microphoneTrouble: opened.trouble }) : undefined;
  const { track } = opened;
  if (opening !== latestOpening) return track.stop();
  ownState.microphone?.stop();
  track.enabled = !ownState.isMuted;
  track.onended = () =>
    ownState.microphone === track && updateOwnMedia({ microphone: undefined, microphoneTrouble: 'none' });
  updateOwnMedia({ microphone: track, microphoneTrouble: undefined });
}

async function replaceCamera(id: string | undefined, opening: number): Promise<void> {
  // Many phones can open only one camera at a time.
  ownState.camera?.stop();
  const opened = await openCameraTrack(id);
  if (!('track' in opened))
    return opening === latestOpening ? updateOwnMedia({ camera: undefined, cameraTrouble: opened.trouble }) : undefined;
  const { track } = opened;
  if (opening !== latestOpening || ownState.isCameraOff) return track.stop();
  track.onended = () => ownState.camera === track && updateOwnMedia({ camera: undefined, cameraTrouble: 'none' });
  updateOwnMedia({ camera: track, cameraTrouble: undefined });
}

let openingQueue = Promise.resolve();

/**
 * Opens what is not open yet, the microphone first because a call needs it. Concurrent callers wait for the same
 * result.
 */
export function openOwnMedia(hasVideo: boolean): Promise<void> {
  openingQueue = openingQueue.then(() => openMissing(hasVideo));
  return openingQueue;
}

async function openMissing(hasVideo: boolean): Promise<void> {
  const opening = latestOpening;
  navigator.mediaDevices?.addEventListener('devicechange', refresh);
  if (!ownState.microphone) await replaceMicrophone(undefined, opening);
  if (hasVideo && !ownState.camera && !ownState.isCameraOff) await replaceCamera(undefined, opening);
  if (opening === latestOpening) await refreshDevices();
}

export function closeOwnMedia(): void {
  latestOpening += 1;
  navigator.mediaDevices?.removeEventListener('devicechange', refresh);
  ownState.microphone?.stop();
  ownState.camera?.stop();
  updateOwnMedia({ ...NO_OWN_MEDIA, speaker: ownState.speaker });
}

export function closeOwnCamera(): void {
  ownState.camera?.stop();
  updateOwnMedia({ camera: undefined, cameraTrouble: undefined });
}

export function setMicrophoneMuted(isMuted: boolean): void {
  if (ownState.microphone) ownState.microphone.enabled = !isMuted;
  updateOwnMedia({ isMuted });
}

export async function setCameraOff(isCameraOff: boolean): Promise<void> {
  updateOwnMedia({ isCameraOff });
  if (isCameraOff) closeOwnCamera();
  else await replaceCamera(undefined, latestOpening);
}

export async function chooseMicrophone(id: string): Promise<void> {
  await replaceMicrophone(id, latestOpening);
}

export async function chooseCamera(id: string): Promise<void> {
  await replaceCamera(id, latestOpening);
}

export async function switchCamera(): Promise<void> {
  const { cameras } = ownState.devices;
  const currentIndex = cameras.findIndex(({ deviceId }) => deviceId === ownState.camera?.getSettings().deviceId);
  const next = cameras[(currentIndex + 1) % cameras.length];
  if (next) await replaceCamera(next.deviceId, latestOpening);
}

export function chooseSpeaker(speaker: string): void {
  updateOwnMedia({ speaker });
}

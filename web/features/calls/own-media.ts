/**
 * The state of this tab's own camera and microphone: opened for the check before a call and released after the call.
 */
import { useSyncExternalStore } from 'react';
import { type Devices, listDevices, NO_DEVICES, openCamera, openMicrophone, type Trouble } from './local-media.ts';

export type OwnMedia = {
  microphone: MediaStreamTrack | undefined;
  camera: MediaStreamTrack | undefined;
  isMuted: boolean;
  isCameraOff: boolean;
  microphoneTrouble: Trouble | undefined;
  cameraTrouble: Trouble | undefined;
  devices: Devices;
  speaker: string;
};

const NONE: OwnMedia = {
  microphone: undefined,
  camera: undefined,
  isMuted: false,
  isCameraOff: false,
  microphoneTrouble: undefined,
  cameraTrouble: undefined,
  devices: NO_DEVICES,
  speaker: '',
};

let own = NONE;
/** Identifies the latest opening. Tracks from an earlier one are stopped. */
let round = 0;
const listeners = new Set<() => void>();

function change(part: Partial<OwnMedia>): void {
  own = { ...own, ...part };
  for (const listener of listeners) listener();
}

export function ownMedia(): OwnMedia {
  return own;
}

export function onOwnMedia(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useOwnMedia(): OwnMedia {
  return useSyncExternalStore(onOwnMedia, ownMedia, () => NONE);
}

async function refreshDevices(): Promise<void> {
  const devices = await listDevices().catch(() => NO_DEVICES);
  change({ devices });
}

const refresh = () => void refreshDevices();

async function takeMicrophone(id: string | undefined, mine: number): Promise<void> {
  const opened = await openMicrophone(id);
  if (!('track' in opened)) return mine === round ? change({ microphoneTrouble: opened.trouble }) : undefined;
  const { track } = opened;
  if (mine !== round) return track.stop();
  own.microphone?.stop();
  track.enabled = !own.isMuted;
  track.onended = () => own.microphone === track && change({ microphone: undefined, microphoneTrouble: 'none' });
  change({ microphone: track, microphoneTrouble: undefined });
}

async function takeCamera(id: string | undefined, mine: number): Promise<void> {
  // Many phones can open only one camera at a time.
  own.camera?.stop();
  const opened = await openCamera(id);
  if (!('track' in opened))
    return mine === round ? change({ camera: undefined, cameraTrouble: opened.trouble }) : undefined;
  const { track } = opened;
  if (mine !== round || own.isCameraOff) return track.stop();
  track.onended = () => own.camera === track && change({ camera: undefined, cameraTrouble: 'none' });
  change({ camera: track, cameraTrouble: undefined });
}

let opening = Promise.resolve();

/**
 * Opens what is not open yet, the microphone first because a call needs it. Concurrent callers wait for the same
 * result.
 */
export function openOwnMedia(hasVideo: boolean): Promise<void> {
  opening = opening.then(() => openMissing(hasVideo));
  return opening;
}

async function openMissing(hasVideo: boolean): Promise<void> {
  const mine = round;
  navigator.mediaDevices?.addEventListener('devicechange', refresh);
  if (!own.microphone) await takeMicrophone(undefined, mine);
  if (hasVideo && !own.camera && !own.isCameraOff) await takeCamera(undefined, mine);
  if (mine === round) await refreshDevices();
}

export function closeOwnMedia(): void {
  round += 1;
  navigator.mediaDevices?.removeEventListener('devicechange', refresh);
  own.microphone?.stop();
  own.camera?.stop();
  change({ ...NONE, speaker: own.speaker });
}

export function closeCamera(): void {
  own.camera?.stop();
  change({ camera: undefined, cameraTrouble: undefined });
}

export function setMuted(isMuted: boolean): void {
  if (own.microphone) own.microphone.enabled = !isMuted;
  change({ isMuted });
}

export async function setCameraOff(isCameraOff: boolean): Promise<void> {
  change({ isCameraOff });
  if (isCameraOff) closeCamera();
  else await takeCamera(undefined, round);
}

export async function chooseMicrophone(id: string): Promise<void> {
  await takeMicrophone(id, round);
}

export async function chooseCamera(id: string): Promise<void> {
  await takeCamera(id, round);
}

export async function switchCamera(): Promise<void> {
  const { cameras } = own.devices;
  const now = cameras.findIndex(({ deviceId }) => deviceId === own.camera?.getSettings().deviceId);
  const next = cameras[(now + 1) % cameras.length];
  if (next) await takeCamera(next.deviceId, round);
}

export function chooseSpeaker(speaker: string): void {
  change({ speaker });
}

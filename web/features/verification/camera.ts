import type { Shape } from './guidance.ts';

/** Why the camera is unavailable. `insecure`: browsers allow cameras only on secure pages. */
export type Trouble = 'refused' | 'missing' | 'busy' | 'insecure' | 'failed';
export type Opened = { stream: MediaStream } | { trouble: Trouble };

const TROUBLES: Readonly<Record<string, Trouble>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Exceeds every sensor, so that the browser chooses the highest resolution. */
const EVERY_PIXEL = { ideal: 8_192 };

export const hasCameras = (): boolean => window.isSecureContext && 'mediaDevices' in navigator;

export async function openCamera(shape: Shape): Promise<Opened> {
  if (!hasCameras()) return { trouble: window.isSecureContext ? 'missing' : 'insecure' };
  try {
    const facingMode = shape === 'card' ? 'environment' : 'user';
    const video = { facingMode, width: EVERY_PIXEL, height: EVERY_PIXEL };
    return { stream: await navigator.mediaDevices.getUserMedia({ video }) };
  } catch (error) {
    return { trouble: (error instanceof DOMException && TROUBLES[error.name]) || 'failed' };
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether the user has already granted the permission, so that opening the camera shows no prompt. */
export async function mayOpenCamera(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'camera' })).state === 'granted';
  } catch {
    return false;
  }
}

const QUALITY = 0.92;

/** Takes a picture with the full resolution. Resolves to null if the video shows no picture yet. */
export function takePicture(video: HTMLVideoElement): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}

export const TROUBLE_WORDS: Readonly<Record<Trouble, string>> = {
  refused: 'Camera access is blocked. Allow it in your browser’s address bar or upload a photo.',
  missing: 'No camera found. Upload a photo or continue on your phone.',
  busy: 'Your camera is in use by another app. Close it and try again, or upload a photo.',
  insecure: 'The camera only works over HTTPS. Upload a photo instead.',
  failed: 'Couldn’t open the camera. Try again or upload a photo.',
};

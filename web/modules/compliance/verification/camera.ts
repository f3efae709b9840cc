import type { FrameShape } from './frame-advice.ts';
import * as texts from './texts.ts';

/** Why the camera is unavailable. `insecure`: browsers allow cameras only on secure pages. */
export type CameraProblem = 'refused' | 'missing' | 'busy' | 'insecure' | 'failed';
export type CameraResult = { stream: MediaStream } | { problem: CameraProblem };

const PROBLEMS_BY_ERROR: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Exceeds every sensor, so that the browser chooses the highest resolution. */
const MAX_RESOLUTION = { ideal: 8_192 };

export const hasCameras = (): boolean => window.isSecureContext && 'mediaDevices' in navigator;

export async function openCamera(shape: FrameShape): Promise<CameraResult> {
  if (!hasCameras()) return { problem: window.isSecureContext ? 'missing' : 'insecure' };
  try {
    const facingMode = shape === 'card' ? 'environment' : 'user';
    const video = { facingMode, width: MAX_RESOLUTION, height: MAX_RESOLUTION };
    return { stream: await navigator.mediaDevices.getUserMedia({ video }) };
  } catch (error) {
    return { problem: (error instanceof DOMException && PROBLEMS_BY_ERROR[error.name]) || 'failed' };
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether the user has already granted the permission, so that opening the camera shows no prompt. */
export async function hasCameraPermission(): Promise<boolean> {
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

export const CAMERA_PROBLEM_MESSAGES: Readonly<Record<CameraProblem, string>> = {
  refused: texts.cameraBlockedError,
  missing: texts.noCameraError,
  busy: texts.cameraInUseError,
  insecure: texts.cameraHttpsError,
  failed: texts.cameraOpenError,
};

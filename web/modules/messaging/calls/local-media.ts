import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import * as texts from './texts.ts';
export type DeviceChoice = { camera?: string | undefined; microphone?: string | undefined };
/** Why a device is not available. `denied`: the user or the browser refused. `busy`: another program uses it. */
export type DeviceTrouble = 'denied' | 'none' | 'busy' | 'unsupported';
export type OpenedDevice = { track: MediaStreamTrack } | { trouble: DeviceTrouble };

const VIDEO_CONSTRAINTS: MediaTrackConstraints = {
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 30, max: 30 },
};
const AUDIO_CONSTRAINTS: MediaTrackConstraints = {
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
};

function toDeviceTrouble(error: unknown): DeviceTrouble {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'unsupported';
}

async function openDevice(constraints: MediaStreamConstraints): Promise<OpenedDevice> {
  // Browsers do not offer these devices without a secure origin.
  if (!navigator.mediaDevices?.getUserMedia) return { trouble: 'unsupported' };
  try {
    const [track] = (await navigator.mediaDevices.getUserMedia(constraints)).getTracks();
    return track ? { track } : { trouble: 'none' };
  } catch (error) {
    return { trouble: toDeviceTrouble(error) };
  }
}

async function openPreferredDevice(
  kind: 'audio' | 'video',
  baseConstraints: MediaTrackConstraints,
  id: string | undefined,
): Promise<OpenedDevice> {
  const chosen = id ? await openDevice({ [kind]: { ...baseConstraints, deviceId: { exact: id } } }) : undefined;
  if (chosen && ('track' in chosen || chosen.trouble !== 'none')) return chosen;
  return openDevice({ [kind]: baseConstraints });
}

export function openMicrophoneTrack(id?: string): Promise<OpenedDevice> {
  return openPreferredDevice('audio', AUDIO_CONSTRAINTS, id);
}

export function openCameraTrack(id?: string): Promise<OpenedDevice> {
  return openPreferredDevice('video', id ? VIDEO_CONSTRAINTS : { ...VIDEO_CONSTRAINTS, facingMode: 'user' }, id);
}

export type DeviceLists = Record<'cameras' | 'microphones' | 'speakers', MediaDeviceInfo[]>;
export const NO_DEVICES: DeviceLists = { cameras: [], microphones: [], speakers: [] };

export async function listDevices(): Promise<DeviceLists> {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  const filterByKind = (kind: MediaDeviceKind) =>
    all.filter((device) => device.kind === kind && device.deviceId !== '');
  return {
    cameras: filterByKind('videoinput'),
    microphones: filterByKind('audioinput'),
    speakers: filterByKind('audiooutput'),
  };
}

export function canChooseSpeaker(): boolean {
  return typeof HTMLMediaElement !== 'undefined' && 'setSinkId' in HTMLMediaElement.prototype;
}

export function formatDeviceTrouble(
  deviceKind: 'camera' | 'microphone',
  trouble: DeviceTrouble,
): { title: string; detail: string } {
  if (trouble === 'denied')
    return {
      title: formatText(texts.deviceBlockedTitle, { deviceKind }),
      detail: formatText(texts.deviceBlockedHint, { deviceKind }),
    };
  if (trouble === 'none')
    return {
      title: formatText(texts.noDeviceTitle, { deviceKind }),
      detail: deviceKind === 'camera' ? texts.connectOrSwitchToVoice : texts.connectOneAndTryAgain,
    };
  if (trouble === 'busy')
    return { title: formatText(texts.deviceInUseTitle, { deviceKind }), detail: texts.deviceInUseHint };
  return {
    title: formatText(texts.unsupportedDeviceTitle, { deviceKind }),
    detail: texts.unsupportedDeviceHint,
  };
}

/** Reports the volume of a track, 0 to 1, ten times a second. Returns the function that stops it. */
export function startLevelMeter(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const audio = new AudioContext();
  const analyser = audio.createAnalyser();
  analyser.fftSize = 512;
  const source = audio.createMediaStreamSource(new MediaStream([track]));
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    // Maps the level from −60 dB, quiet surroundings, upwards.
    const decibels = 10 * Math.log10(power + 1e-9);
    onLevel(Math.max(0, Math.min(1, (decibels + 60) / 50)));
  }, 100);
  return () => {
    clearInterval(timer);
    void audio.close();
  };
}

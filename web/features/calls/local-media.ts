export type Choice = { camera?: string | undefined; microphone?: string | undefined };
/** Why a device is not available. `denied`: the user or the browser refused. `busy`: another program uses it. */
export type Trouble = 'denied' | 'none' | 'busy' | 'unsupported';
export type Opened = { track: MediaStreamTrack } | { trouble: Trouble };

const PICTURE: MediaTrackConstraints = {
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 30, max: 30 },
};
const SOUND: MediaTrackConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };

function troubleOf(error: unknown): Trouble {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'unsupported';
}

async function open(constraints: MediaStreamConstraints): Promise<Opened> {
  // Browsers do not offer these devices without a secure origin.
  if (!navigator.mediaDevices?.getUserMedia) return { trouble: 'unsupported' };
  try {
    const [track] = (await navigator.mediaDevices.getUserMedia(constraints)).getTracks();
    return track ? { track } : { trouble: 'none' };
  } catch (error) {
    return { trouble: troubleOf(error) };
  }
}

async function openOrAny(
  kind: 'audio' | 'video',
  rules: MediaTrackConstraints,
  id: string | undefined,
): Promise<Opened> {
  const chosen = id ? await open({ [kind]: { ...rules, deviceId: { exact: id } } }) : undefined;
  if (chosen && ('track' in chosen || chosen.trouble !== 'none')) return chosen;
  return open({ [kind]: rules });
}

export function openMicrophone(id?: string): Promise<Opened> {
  return openOrAny('audio', SOUND, id);
}

export function openCamera(id?: string): Promise<Opened> {
  return openOrAny('video', id ? PICTURE : { ...PICTURE, facingMode: 'user' }, id);
}

export type Devices = Record<'cameras' | 'microphones' | 'speakers', MediaDeviceInfo[]>;
export const NO_DEVICES: Devices = { cameras: [], microphones: [], speakers: [] };

export async function listDevices(): Promise<Devices> {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  const of = (kind: MediaDeviceKind) => all.filter((device) => device.kind === kind && device.deviceId !== '');
  return { cameras: of('videoinput'), microphones: of('audioinput'), speakers: of('audiooutput') };
}

export function canChooseSpeaker(): boolean {
  return typeof HTMLMediaElement !== 'undefined' && 'setSinkId' in HTMLMediaElement.prototype;
}

export function troubleWords(what: 'camera' | 'microphone', trouble: Trouble): { line: string; more: string } {
  if (trouble === 'denied')
    return {
      line: `Stagedoor can’t access your ${what}.`,
      more: `Allow ${what} access in your browser’s address bar and try again.`,
    };
  if (trouble === 'none')
    return {
      line: `No ${what} found.`,
      more: what === 'camera' ? 'Connect one or switch to a voice call.' : 'Connect one and try again.',
    };
  if (trouble === 'busy')
    return { line: `Your ${what} is in use.`, more: 'Close other apps or tabs using it and try again.' };
  return {
    line: `This browser doesn’t support ${what} access.`,
    more: 'Open Stagedoor in an up-to-date browser over HTTPS.',
  };
}

/** Reports the volume of a track, 0 to 1, ten times a second. Returns the function that stops it. */
export function meterOf(track: MediaStreamTrack, tell: (level: number) => void): () => void {
  const audio = new AudioContext();
  const analyser = audio.createAnalyser();
  analyser.fftSize = 512;
  const source = audio.createMediaStreamSource(new MediaStream([track]));
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    // Maps the level from −60 dB, a quiet room, upwards.
    const decibels = 10 * Math.log10(power + 1e-9);
    tell(Math.max(0, Math.min(1, (decibels + 60) / 50)));
  }, 100);
  return () => {
    clearInterval(timer);
    void audio.close();
  };
}

/** The viewer's own camera, microphone and speaker: opening them, what stands in the way, and which there are. */

export type Choice = { camera?: string | undefined; microphone?: string | undefined };
/** Why a device cannot be had. `denied`: the person, or their browser, said no. `busy`: another program has it. */
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
  // Without a secure origin browsers have no such devices at all.
  if (!navigator.mediaDevices?.getUserMedia) return { trouble: 'unsupported' };
  try {
    const [track] = (await navigator.mediaDevices.getUserMedia(constraints)).getTracks();
    return track ? { track } : { trouble: 'none' };
  } catch (error) {
    return { trouble: troubleOf(error) };
  }
}

/** A chosen device may be gone by now: then any. */
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

/** Whether this browser lets one choose where sound comes out. */
export function canChooseSpeaker(): boolean {
  return typeof HTMLMediaElement !== 'undefined' && 'setSinkId' in HTMLMediaElement.prototype;
}

/** What stands in the way of the camera or the microphone, and the way out of it. */
export function troubleWords(what: 'camera' | 'microphone', trouble: Trouble): { line: string; more: string } {
  if (trouble === 'denied')
    return {
      line: `Stagedoor may not use your ${what}.`,
      more: `Allow the ${what} for this site beside the address, then try again.`,
    };
  if (trouble === 'none')
    return {
      line: `No ${what} was found.`,
      more: what === 'camera' ? 'Connect one, or talk by voice.' : 'Connect one, then try again.',
    };
  if (trouble === 'busy')
    return { line: `Your ${what} is in use.`, more: 'Close the other program or tab that has it, then try again.' };
  return { line: `This browser has no ${what} for us.`, more: 'Open Stagedoor in a current browser, over https.' };
}

/** How loud a track is, 0 to 1, told ten times a second. Answers the function that stops it. */
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
    // From −60 dB, a quiet room, to 0.
    const decibels = 10 * Math.log10(power + 1e-9);
    tell(Math.max(0, Math.min(1, (decibels + 60) / 50)));
  }, 100);
  return () => {
    clearInterval(timer);
    void audio.close();
  };
}

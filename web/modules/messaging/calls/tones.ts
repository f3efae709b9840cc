/**
 * The sounds of calls, synthesised at half volume. Dialing and ringing repeat, the speaker test plays once (row F5).
 */

type Note = { hz: number; at: number; seconds: number };
type Tone = { notes: readonly Note[]; everySeconds: number };

const TONES = {
  dialing: {
    notes: [
      { hz: 440, at: 0, seconds: 0.9 },
      { hz: 554.37, at: 0, seconds: 0.9 },
    ],
    everySeconds: 3,
  },
  incoming: {
    notes: [
      { hz: 659.25, at: 0, seconds: 0.22 },
      { hz: 783.99, at: 0.22, seconds: 0.22 },
      { hz: 987.77, at: 0.44, seconds: 0.34 },
      { hz: 659.25, at: 1, seconds: 0.22 },
      { hz: 783.99, at: 1.22, seconds: 0.22 },
      { hz: 987.77, at: 1.44, seconds: 0.5 },
    ],
    everySeconds: 3,
  },
  test: {
    notes: [
      { hz: 523.25, at: 0, seconds: 0.5 },
      { hz: 659.25, at: 0.25, seconds: 0.5 },
      { hz: 783.99, at: 0.5, seconds: 0.8 },
    ],
    everySeconds: 0,
  },
} as const satisfies Record<string, Tone>;

const VOLUME = 0.5;

function playNote(audio: AudioContext, output: AudioNode, { hz, at, seconds }: Note): void {
  const begin = audio.currentTime + at;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = 'sine';
  oscillator.frequency.value = hz;
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(0.4, begin + 0.02);
  gain.gain.setValueAtTime(0.4, begin + seconds * 0.6);
  gain.gain.linearRampToValueAtTime(0, begin + seconds);
  oscillator.connect(gain).connect(output);
  oscillator.start(begin);
  oscillator.stop(begin + seconds);
}

/**
 * Plays a tone on the chosen speaker. Browsers block sound before the first user gesture. The tone then starts with
 * that gesture. Returns the function that stops it.
 */
export function playTone(name: keyof typeof TONES, speaker = ''): () => void {
  const { notes, everySeconds } = TONES[name];
  const audio = new AudioContext();
  if (speaker && 'setSinkId' in audio && typeof audio.setSinkId === 'function')
    void audio.setSinkId(speaker).catch(() => undefined);
  const output = audio.createGain();
  output.gain.value = VOLUME;
  output.connect(audio.destination);
  let timer: ReturnType<typeof setInterval> | undefined;
  const resumeAudio = () => void audio.resume().catch(() => undefined);
  const play = () => {
    if (audio.state === 'running') for (const note of notes) playNote(audio, output, note);
  };
  const startTone = () => {
    if (audio.state !== 'running' || timer !== undefined) return;
    play();
    timer = setInterval(play, (everySeconds || 60) * 1000);
    if (everySeconds === 0) setTimeout(stop, 2_000);
  };
  function stop(): void {
    clearInterval(timer);
    removeEventListener('pointerdown', resumeAudio);
    removeEventListener('keydown', resumeAudio);
    if (audio.state !== 'closed') void audio.close();
  }
  addEventListener('pointerdown', resumeAudio);
  addEventListener('keydown', resumeAudio);
  audio.onstatechange = startTone;
  startTone();
  resumeAudio();
  return stop;
}

/** Plays a tone in only one tab of the browser. When that tab is closed, the next one continues. */
export function playToneOnce(name: keyof typeof TONES): () => void {
  if (!navigator.locks) return playTone(name);
  const controller = new AbortController();
  let stop = (): void => undefined;
  navigator.locks
    .request(`call-tone:${name}`, { signal: controller.signal }, () => {
      stop = playTone(name);
      return new Promise<void>((done) => controller.signal.addEventListener('abort', () => done()));
    })
    .catch(() => undefined);
  return () => {
    stop();
    controller.abort();
  };
}

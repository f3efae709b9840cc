/** The message tone, synthesised at half volume and played in only one tab. */
const NOTES_HZ = [880, 1174.66] as const;
const NOTE_SECONDS = 0.12;
const VOLUME = 0.5;
const QUIET_MS = 800;

let context: AudioContext | undefined;

function play(audio: AudioContext): void {
  NOTES_HZ.forEach((frequency, index) => {
    const at = audio.currentTime + index * NOTE_SECONDS;
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.type = 'sine';
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(VOLUME * 0.4, at + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.001, at + NOTE_SECONDS * 2);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(at);
    oscillator.stop(at + NOTE_SECONDS * 2);
  });
}

async function playOnce(): Promise<void> {
  context ??= new AudioContext();
  // Browsers block sound before the first user gesture. The tone is then dropped.
  if (context.state === 'suspended')
    await Promise.race([context.resume(), new Promise((done) => setTimeout(done, 100))]);
  if (context.state === 'running') play(context);
  await new Promise((done) => setTimeout(done, QUIET_MS));
}

export async function playMessageTone(): Promise<void> {
  if (!navigator.locks) return playOnce();
  await navigator.locks.request('chat-tone', { ifAvailable: true }, (lock) => (lock ? playOnce() : undefined));
}

import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { useEffect, useRef, useState } from 'react';
import { busyWhile } from '../../../kernel/busy.ts';

const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'] as const;
const SAMPLE_MS = 80;
const WAVE_VALUES = 100;

export type Recorded = { blob: Blob; name: string; durationSeconds: number; waveform: number[] };
export type Recorder = {
  state: 'idle' | 'asking' | 'recording';
  seconds: number;
  /** Levels recorded so far, 0 to 1. */
  levels: readonly number[];
  failure: string | undefined;
  start: () => Promise<void>;
  finish: () => Promise<Recorded | undefined>;
  cancel: () => void;
};

/** Reduces samples to at most `values` peaks, normalised so that the loudest is 1. */
export function waveOf(levels: readonly number[], values = WAVE_VALUES): number[] {
  if (levels.length === 0) return [];
  const count = Math.min(values, levels.length);
  const peaks = Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * levels.length) / count));
    return Math.max(...levels.slice(from, to));
  });
  const top = Math.max(...peaks, 0.01);
  return peaks.map((peak) => Math.round((peak / top) * 100) / 100);
}

type Session = {
  stream: MediaStream;
  recorder: MediaRecorder;
  audio: AudioContext;
  chunks: Blob[];
  levels: number[];
  began: number;
  timer: ReturnType<typeof setInterval>;
};

function loudness(analyser: AnalyserNode, samples: Uint8Array<ArrayBuffer>): number {
  analyser.getByteTimeDomainData(samples);
  let sum = 0;
  for (const sample of samples) sum += ((sample - 128) / 128) ** 2;
  return Math.min(1, Math.sqrt(sum / samples.length) * 3);
}

async function open(onLevel: (session: Session) => void): Promise<Session> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {});
  const audio = new AudioContext();
  const analyser = audio.createAnalyser();
  analyser.fftSize = 512;
  audio.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  const chunks: Blob[] = [];
  recorder.ondataavailable = ({ data }) => void (data.size > 0 && chunks.push(data));
  const levels: number[] = [];
  const session: Session = {
    stream,
    recorder,
    audio,
    chunks,
    levels,
    began: performance.now(),
    timer: setInterval(() => {
      levels.push(loudness(analyser, samples));
      onLevel(session);
    }, SAMPLE_MS),
  };
  recorder.start(1_000);
  return session;
}

function close({ stream, audio, timer }: Session): void {
  clearInterval(timer);
  for (const track of stream.getTracks()) track.stop();
  void audio.close();
}

const secondsOf = ({ began }: Session) => (performance.now() - began) / 1_000;

async function end(session: Session): Promise<Recorded | undefined> {
  const durationSeconds = Math.min(CHAT_LIMITS.audioSeconds, Math.round(secondsOf(session) * 10) / 10);
  const { recorder, chunks, levels } = session;
  if (recorder.state !== 'inactive') {
    await new Promise<void>((resolve) => {
      recorder.onstop = () => resolve();
      recorder.stop();
    });
  }
  close(session);
  if (chunks.length === 0 || durationSeconds < 0.5) return undefined;
  const type = recorder.mimeType.split(';')[0] || 'audio/webm';
  const name = `voice.${type.includes('mp4') ? 'm4a' : type.includes('ogg') ? 'ogg' : 'webm'}`;
  return { blob: new Blob(chunks, { type }), name, durationSeconds, waveform: waveOf(levels) };
}

function wordsFor(error: unknown): string {
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return 'Microphone access is blocked. Allow it in your browser settings and try again.';
  if (error instanceof DOMException && error.name === 'NotFoundError') return 'No microphone found.';
  return 'Couldn’t start recording. Try again.';
}

export function useRecorder(): Recorder {
  const session = useRef<Session>(undefined);
  const [state, setState] = useState<Recorder['state']>('idle');
  const [seconds, setSeconds] = useState(0);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(
    () => () => {
      if (session.current) close(session.current);
    },
    [],
  );
  const isIdle = state === 'idle';
  useEffect(() => (isIdle ? undefined : busyWhile(() => true)), [isIdle]);
  const rest = () => {
    session.current = undefined;
    setState('idle');
    setSeconds(0);
    setLevels([]);
  };
  return {
    state,
    seconds,
    levels,
    failure,
    start: async () => {
      setFailure(undefined);
      setState('asking');
      try {
        session.current = await open((current) => {
          setSeconds(secondsOf(current));
          setLevels(current.levels.slice(-60));
          if (secondsOf(current) >= CHAT_LIMITS.audioSeconds && current.recorder.state === 'recording')
            current.recorder.stop();
        });
        setState('recording');
      } catch (error) {
        setFailure(wordsFor(error));
        rest();
      }
    },
    finish: async () => {
      const current = session.current;
      if (!current) return undefined;
      const recorded = await end(current);
      rest();
      return recorded;
    },
    cancel: () => {
      if (session.current) close(session.current);
      rest();
    },
  };
}

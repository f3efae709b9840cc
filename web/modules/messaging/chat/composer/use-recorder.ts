import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { blockReloadWhile } from '../../../../platform/reload-guard.ts';
import * as texts from '../texts.ts';

const AUDIO_TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'] as const;
const SAMPLE_MS = 80;
const WAVEFORM_LENGTH = 100;

export type VoiceRecording = { blob: Blob; name: string; durationSeconds: number; waveform: number[] };
export type VoiceRecorder = {
  state: 'idle' | 'requesting' | 'recording';
  seconds: number;
  /** Levels recorded so far, 0 to 1. */
  levels: readonly number[];
  failure: string | undefined;
  start: () => Promise<void>;
  finish: () => Promise<VoiceRecording | undefined>;
  cancel: () => void;
};

/** Reduces samples to at most `values` peaks, normalised so that the loudest is 1. */
export function toWaveform(levels: readonly number[], values = WAVEFORM_LENGTH): number[] {
  if (levels.length === 0) return [];
  const count = Math.min(values, levels.length);
  const peaks = Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * levels.length) / count));
    return Math.max(...levels.slice(from, to));
  });
  const maxPeak = Math.max(...peaks, 0.01);
  return peaks.map((peak) => Math.round((peak / maxPeak) * 100) / 100);
}

type RecordingSession = {
  stream: MediaStream;
  recorder: MediaRecorder;
  audio: AudioContext;
  chunks: Blob[];
  levels: number[];
  startedAt: number;
  timer: ReturnType<typeof setInterval>;
};

function measureLoudness(analyser: AnalyserNode, samples: Uint8Array<ArrayBuffer>): number {
  analyser.getByteTimeDomainData(samples);
  let sum = 0;
  for (const sample of samples) sum += ((sample - 128) / 128) ** 2;
  return Math.min(1, Math.sqrt(sum / samples.length) * 3);
}

async function openSession(onLevel: (session: RecordingSession) => void): Promise<RecordingSession> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const mimeType = AUDIO_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {});
  const audio = new AudioContext();
  const analyser = audio.createAnalyser();
  analyser.fftSize = 512;
  audio.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  const chunks: Blob[] = [];
  recorder.ondataavailable = ({ data }) => void (data.size > 0 && chunks.push(data));
  const levels: number[] = [];
  const session: RecordingSession = {
    stream,
    recorder,
    audio,
    chunks,
    levels,
    startedAt: performance.now(),
    timer: setInterval(() => {
      levels.push(measureLoudness(analyser, samples));
      onLevel(session);
    }, SAMPLE_MS),
  };
  recorder.start(1_000);
  return session;
}

function closeSession({ stream, audio, timer }: RecordingSession): void {
  clearInterval(timer);
  for (const track of stream.getTracks()) track.stop();
  void audio.close();
}

const getSeconds = ({ startedAt }: RecordingSession) => (performance.now() - startedAt) / 1_000;

async function finishRecording(session: RecordingSession): Promise<VoiceRecording | undefined> {
  const durationSeconds = Math.min(CHAT_LIMITS.audioSeconds, Math.round(getSeconds(session) * 10) / 10);
  const { recorder, chunks, levels } = session;
  if (recorder.state !== 'inactive') {
    await new Promise<void>((resolve) => {
      recorder.onstop = () => resolve();
      recorder.stop();
    });
  }
  closeSession(session);
  if (chunks.length === 0 || durationSeconds < 0.5) return undefined;
  const type = recorder.mimeType.split(';')[0] || 'audio/webm';
  const name = `voice.${type.includes('mp4') ? 'm4a' : type.includes('ogg') ? 'ogg' : 'webm'}`;
  return { blob: new Blob(chunks, { type }), name, durationSeconds, waveform: toWaveform(levels) };
}

function formatRecordingError(error: unknown): string {
  if (error instanceof DOMException && error.name === 'NotAllowedError') return texts.microphoneBlockedError;
  if (error instanceof DOMException && error.name === 'NotFoundError') return texts.noMicrophoneError;
  return texts.recordingStartError;
}

/** Recording ends when the component is unmounted. `onInterrupted` then receives what was recorded. */
export function useRecorder(onInterrupted: (recording: VoiceRecording) => void): VoiceRecorder {
  const session = useRef<RecordingSession>(undefined);
  const [state, setState] = useState<VoiceRecorder['state']>('idle');
  const [seconds, setSeconds] = useState(0);
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [failure, setFailure] = useState<string>();
  const interrupt = useEffectEvent(async (current: RecordingSession) => {
    const recording = await finishRecording(current);
    if (recording) onInterrupted(recording);
  });
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      if (session.current) void interrupt(session.current);
    };
  }, []);
  const isIdle = state === 'idle';
  useEffect(() => (isIdle ? undefined : blockReloadWhile(() => true)), [isIdle]);
  const reset = () => {
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
      setState('requesting');
      try {
        const opened = await openSession((current) => {
          setSeconds(getSeconds(current));
          setLevels(current.levels.slice(-60));
          if (getSeconds(current) >= CHAT_LIMITS.audioSeconds && current.recorder.state === 'recording')
            current.recorder.stop();
        });
        // The conversation may have been left while the browser prompted for permission.
        if (isLeft.current) return closeSession(opened);
        session.current = opened;
        setState('recording');
      } catch (error) {
        setFailure(formatRecordingError(error));
        reset();
      }
    },
    finish: async () => {
      const current = session.current;
      if (!current) return undefined;
      session.current = undefined;
      const recording = await finishRecording(current);
      reset();
      return recording;
    },
    cancel: () => {
      if (session.current) closeSession(session.current);
      reset();
    },
  };
}

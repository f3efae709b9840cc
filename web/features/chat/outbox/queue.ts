/**
 * What waits to be sent: its form, its order and what to do about a failure. Pure; outbox.ts keeps it and sends it.
 */
import { ApiError } from '../../../kernel/api-error.ts';

/** Where a message goes: a conversation, the person with whom one begins, or many. */
export type Target =
  | { kind: 'conversation'; id: string }
  | { kind: 'person'; id: string }
  | {
      kind: 'broadcast';
      audience: 'chosen' | 'followers' | 'buyers' | 'active' | 'notBought';
      conversationIds: readonly string[];
      excludeBuyers: boolean;
      scheduledAt: string | undefined;
    };

export type OutFile = {
  key: string;
  name: string;
  type: string;
  kind: 'picture' | 'video' | 'document' | 'voice';
  blob: Blob;
  /** Pixels, so that its box stands before it is there; 0 when unknown. */
  width: number;
  height: number;
  /** Set once the server has it. */
  mediaId?: string;
};

export type Entry = {
  /** Made here, kept over tries and reloads: sending it again is the same message. */
  clientId: string;
  userId: string;
  /** The thread it stands in: a conversation's id, `with:` a person's id, or `broadcast`. */
  thread: string;
  target: Target;
  text: string;
  /** USD; 0 is free. */
  price: number;
  isViewOnce: boolean;
  files: readonly OutFile[];
  voice: { durationSeconds: number; waveform: readonly number[] } | undefined;
  createdAt: string;
  /** Its place among what was written on this device. */
  order: number;
  state: 'waiting' | 'failed';
  /** Why it failed, or what it waits for, in words. */
  failure: string | undefined;
};

/** What is heavier goes its own way, so that words are not kept waiting by a film. */
const HEAVY_BYTES = 10 * 1024 * 1024;

export function threadOf(target: Target): string {
  if (target.kind === 'broadcast') return 'broadcast';
  return target.kind === 'person' ? `with:${target.id}` : target.id;
}

/** Messages of one lane are sent one after the other. */
export function laneOf(entry: Entry): string {
  const bytes = entry.files.reduce((sum, { blob }) => sum + blob.size, 0);
  return bytes > HEAVY_BYTES ? `${entry.thread}:heavy` : entry.thread;
}

/** What is to be sent next in a lane: the oldest that waits. What failed holds nobody up. */
export function nextIn(entries: readonly Entry[], lane: string): Entry | undefined {
  return entries
    .filter((entry) => entry.state === 'waiting' && laneOf(entry) === lane)
    .reduce<Entry | undefined>((first, entry) => (first && first.order <= entry.order ? first : entry), undefined);
}

const DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000] as const;
const ENDED_WORDS = 'Not sent: your session has ended. It is sent once you are logged in again.';
/** Whoever wrote faster than is allowed is let through again after moments; whoever used up a day's is told. */
const LIMITED_MS = 5_000;
const LIMITED_TRIES = 12;

/**
 * What to do after a failed try: again later, for as long as it takes, when nobody knows whether it arrived, the server was away
 * or the session had ended, which is said meanwhile (`held`); else it has failed, with the server's words.
 */
export function afterFailure(
  error: unknown,
  tries: number,
): { retryMs: number; held?: string | undefined } | { failure: string } {
  if (error instanceof ApiError) {
    if (error.code === 'RATE_LIMITED')
      return tries < LIMITED_TRIES ? { retryMs: LIMITED_MS } : { failure: error.message };
    const isPassing = error.code === 'NETWORK' || error.code === 'UNAUTHORIZED' || error.status >= 500;
    if (!isPassing) return { failure: Object.values(error.fields)[0] ?? error.message };
  }
  const hasEnded = error instanceof ApiError && error.code === 'UNAUTHORIZED';
  return {
    retryMs: DELAYS_MS[Math.min(tries, DELAYS_MS.length - 1)] ?? 1_000,
    held: hasEnded ? ENDED_WORDS : undefined,
  };
}

/** What stands in a thread after its messages: not what has arrived already. */
export function pendingIn(entries: readonly Entry[], thread: string, arrived: ReadonlySet<string>): Entry[] {
  return entries
    .filter((entry) => entry.thread === thread && !arrived.has(entry.clientId))
    .toSorted((one, other) => one.order - other.order);
}

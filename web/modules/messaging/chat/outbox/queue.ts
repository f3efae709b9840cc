import type { BroadcastAudience } from '@stagedoor/contract/messaging/broadcasts.ts';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import type { SubscriptionTierId } from '@stagedoor/contract/shared/ids.ts';
import { ApiError } from '../../../../platform/api-error.ts';
import * as texts from '../texts.ts';

/** The recipient: a conversation, a user without one yet, or a broadcast audience. */
export type MessageTarget =
  | { kind: 'conversation'; id: string }
  | { kind: 'user'; id: string }
  | {
      kind: 'broadcast';
      audience: BroadcastAudience;
      /** Of the audience `tier`. */
      tierId?: SubscriptionTierId | undefined;
      conversationIds: readonly string[];
      excludeBuyers: boolean;
      scheduledAt: string | undefined;
    };

export type OutboxFile = {
  key: string;
  name: string;
  type: string;
  kind: 'picture' | 'video' | 'document' | 'voice';
  blob: Blob;
  /** Pixels, which reserve the layout. 0 means unknown. */
  width: number;
  height: number;
  mediaId?: string;
};

export type OutboxEntry = {
  /** Idempotency key, the same for all retries. */
  clientId: string;
  userId: string;
  /** The thread that shows it: a conversation ID, `with:` and a user ID, or `broadcast`. */
  thread: string;
  target: MessageTarget;
  text: string;
  /** USD. 0 is free. */
  price: number;
  isViewOnce: boolean;
  files: readonly OutboxFile[];
  voice: { durationSeconds: number; waveform: readonly number[] } | undefined;
  createdAt: string;
  order: number;
  state: 'waiting' | 'failed';
  failure: string | undefined;
};

/** Whether the server stored a message to send it later. It has no number until it is sent. */
export function isStoredForLater({ target }: Pick<OutboxEntry, 'target'>, { seq }: Pick<Message, 'seq'>): boolean {
  return target.kind === 'broadcast' && target.scheduledAt !== undefined && seq === 0;
}

/** Larger messages use their own queue, so that texts do not wait for an upload. */
const HEAVY_BYTES = 10 * 1024 * 1024;

export function toThreadKey(target: MessageTarget): string {
  if (target.kind === 'broadcast') return 'broadcast';
  return target.kind === 'user' ? `with:${target.id}` : target.id;
}

export function getQueueName(entry: OutboxEntry): string {
  const bytes = entry.files.reduce((sum, { blob }) => sum + blob.size, 0);
  return bytes > HEAVY_BYTES ? `${entry.thread}:heavy` : entry.thread;
}

export function findNextEntry(entries: readonly OutboxEntry[], queue: string): OutboxEntry | undefined {
  return entries
    .filter((entry) => entry.state === 'waiting' && getQueueName(entry) === queue)
    .reduce<OutboxEntry | undefined>(
      (first, entry) => (first && first.order <= entry.order ? first : entry),
      undefined,
    );
}

const DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000] as const;
const SESSION_EXPIRED_MESSAGE = texts.sessionExpiredNotSent;
/**
 * The server's short-term rate limit clears within moments. After the last try the daily limit is assumed and reported.
 */
const RATE_LIMIT_RETRY_MS = 5_000;
const RATE_LIMIT_TRIES = 12;

/**
 * Decides what follows a failed try. Network errors, server errors and an expired session are retried without limit,
 * the last with a message (`notice`). Rate limits are retried a limited number of times. Anything else fails with the
 * server's message.
 */
export function decideRetry(
  error: unknown,
  tries: number,
): { retryMs: number; notice?: string | undefined } | { failure: string } {
  if (error instanceof ApiError) {
    if (error.code === 'RATE_LIMITED')
      return tries < RATE_LIMIT_TRIES ? { retryMs: RATE_LIMIT_RETRY_MS } : { failure: error.message };
    const isTemporary = error.code === 'NETWORK' || error.code === 'UNAUTHORIZED' || error.status >= 500;
    if (!isTemporary) return { failure: Object.values(error.fields)[0] ?? error.message };
  }
  const isSessionExpired = error instanceof ApiError && error.code === 'UNAUTHORIZED';
  return {
    retryMs: DELAYS_MS[Math.min(tries, DELAYS_MS.length - 1)] ?? 1_000,
    notice: isSessionExpired ? SESSION_EXPIRED_MESSAGE : undefined,
  };
}

export function listPendingEntries(
  entries: readonly OutboxEntry[],
  thread: string,
  arrivedIds: ReadonlySet<string>,
): OutboxEntry[] {
  return entries
    .filter((entry) => entry.thread === thread && !arrivedIds.has(entry.clientId))
    .toSorted((one, other) => one.order - other.order);
}

import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import type { OutboxEntry } from '../outbox/queue.ts';
import { formatDayLabel, toDayKey } from '../time-format.ts';

const GROUP_MS = 5 * 60_000;

export type ThreadRow = {
  /** The client ID of the message, so that a placeholder and its message are the same row. */
  key: string;
  message: Message | undefined;
  entry: OutboxEntry | undefined;
  isOwn: boolean;
  day: string | undefined;
  isFirstUnread: boolean;
  isLast: boolean;
};

type RowSource = Pick<ThreadRow, 'key' | 'message' | 'entry' | 'isOwn'> & { createdAt: string };

/** `readUpTo`: the `seq` up to which the viewer had read when the thread was opened. */
export function toThreadRows(
  messages: readonly Message[],
  pending: readonly OutboxEntry[],
  { viewerId, now, zone, readUpTo }: { viewerId: string; now: string; zone: string; readUpTo: number | undefined },
): ThreadRow[] {
  const lines: RowSource[] = [
    ...messages.map((message) => ({
      key: message.clientId,
      message,
      entry: undefined,
      isOwn: message.ownerId === viewerId,
      createdAt: message.createdAt,
    })),
    ...pending.map((entry) => ({
      key: entry.clientId,
      message: undefined,
      entry,
      isOwn: true,
      createdAt: entry.createdAt,
    })),
  ];
  const firstUnread =
    readUpTo === undefined
      ? undefined
      : messages.find((message) => message.seq > readUpTo && message.ownerId !== viewerId)?.clientId;
  let lastDay = '';
  return lines.map(({ createdAt, ...line }, index) => {
    const day = toDayKey(createdAt, zone);
    const isFirstOfDay = day !== lastDay;
    lastDay = day;
    const next = lines[index + 1];
    const isContinued =
      next !== undefined &&
      next.isOwn === line.isOwn &&
      next.key !== firstUnread &&
      Date.parse(next.createdAt) - Date.parse(createdAt) < GROUP_MS &&
      toDayKey(next.createdAt, zone) === day;
    return {
      ...line,
      day: isFirstOfDay ? formatDayLabel(createdAt, now, zone) : undefined,
      isFirstUnread: line.key === firstUnread && index > 0,
      isLast: !isContinued,
    };
  });
}

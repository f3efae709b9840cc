/** A thread as rows: each message with the day it begins, where the new ones begin, and whether it ends a group. Pure. */
import type { Message } from '@stagedoor/contract/messages.ts';
import { dayKey, dayLabel } from '../clock.ts';
import type { Entry } from '../outbox/queue.ts';

const GROUP_MS = 5 * 60_000;

export type Row = {
  /** The sender's own id for it, so that a placeholder and its message are one row. */
  key: string;
  message: Message | undefined;
  entry: Entry | undefined;
  isOwn: boolean;
  /** "Today", on the first of a day. */
  day: string | undefined;
  /** The first that is new to the viewer. */
  isNewFrom: boolean;
  isLast: boolean;
};

type Line = Pick<Row, 'key' | 'message' | 'entry' | 'isOwn'> & { createdAt: string };

/** `newAfter`: the viewer had read up to that `seq` when the thread was opened. */
export function rowsOf(
  messages: readonly Message[],
  pending: readonly Entry[],
  { viewerId, now, zone, newAfter }: { viewerId: string; now: string; zone: string; newAfter: number | undefined },
): Row[] {
  const lines: Line[] = [
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
  const firstNew =
    newAfter === undefined
      ? undefined
      : messages.find((message) => message.seq > newAfter && message.ownerId !== viewerId)?.clientId;
  let lastDay = '';
  return lines.map(({ createdAt, ...line }, index) => {
    const day = dayKey(createdAt, zone);
    const isFirstOfDay = day !== lastDay;
    lastDay = day;
    const next = lines[index + 1];
    const goesOn =
      next !== undefined &&
      next.isOwn === line.isOwn &&
      next.key !== firstNew &&
      Date.parse(next.createdAt) - Date.parse(createdAt) < GROUP_MS &&
      dayKey(next.createdAt, zone) === day;
    return {
      ...line,
      day: isFirstOfDay ? dayLabel(createdAt, now, zone) : undefined,
      isNewFrom: line.key === firstNew && index > 0,
      isLast: !goesOn,
    };
  });
}

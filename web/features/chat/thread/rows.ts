import type { Message } from '@stagedoor/contract/messages.ts';
import { dayKey, dayLabel } from '../clock.ts';
import type { Entry } from '../outbox/queue.ts';

const GROUP_MS = 5 * 60_000;

export type Row = {
  /** The client ID of the message, so that a placeholder and its message are the same row. */
  key: string;
  message: Message | undefined;
  entry: Entry | undefined;
  isOwn: boolean;
  day: string | undefined;
  isNewFrom: boolean;
  isLast: boolean;
};

type Line = Pick<Row, 'key' | 'message' | 'entry' | 'isOwn'> & { createdAt: string };

/** `newAfter`: the `seq` up to which the viewer had read when the thread was opened. */
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

import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { getOwnZone } from '../../../../ui/own-zone.ts';
import { parseWallTime, type WallTime } from '../../../../ui/zoned-time.ts';
import type { BroadcastSchedule } from './state.ts';
import * as texts from './texts.ts';

const DAY_MS = 86_400_000;

export type ScheduleReading = { scheduledAt: string | undefined; error?: undefined } | { error: string };

/** Reads a local time within the limits of the server. */
export function parseScheduledTime(
  wall: WallTime,
  nowMs: number,
  zone = getOwnZone(),
): { error: string } | { scheduledAt: string } {
  const reading = parseWallTime(wall, zone);
  if (!reading) return { error: texts.chooseDateAndTime };
  const ahead = reading.instant.getTime() - nowMs;
  if (ahead <= 0) return { error: texts.chooseFutureTime };
  if (ahead > CHAT_LIMITS.broadcastScheduleDays * DAY_MS) return { error: texts.chooseTimeWithinYear };
  return { scheduledAt: reading.instant.toISOString() };
}

/** `scheduledAt` is undefined for now. */
export function parseSchedule({ isLater, wall }: BroadcastSchedule, nowMs: number): ScheduleReading {
  return isLater ? parseScheduledTime(wall, nowMs) : { scheduledAt: undefined };
}

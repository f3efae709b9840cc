import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../platform/context.ts';
import { type RateLimit, requireNotLimited } from '../../../platform/limits/rate-limit.ts';
import * as texts from './texts.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const MESSAGE_LIMIT: RateLimit = { name: 'cases message', max: CASE_LIMITS.messagesPerDay, windowMs: DAY_MS };
const TICKET_LIMIT: RateLimit = { name: 'cases ticket', max: CASE_LIMITS.ticketsPerDay, windowMs: DAY_MS };
const REPORT_LIMIT: RateLimit = { name: 'cases report', max: CASE_LIMITS.reportsPerHour, windowMs: HOUR_MS };

/** Throws RATE_LIMITED, with the seconds to wait. `writer` is a user id, or the network of a visitor. */
async function countWriting({ limits }: Pick<Context, 'limits'>, limit: RateLimit, writer: string): Promise<void> {
  requireNotLimited(await limits.countShared(limit, writer), texts.tooManyMessagesError);
}

/** Counts a message by account, or by network without one. Throws RATE_LIMITED, with the seconds to wait. */
export function countMessage(ctx: Context, sender: { id: string | undefined; network: string }): Promise<void> {
  return countWriting(ctx, MESSAGE_LIMIT, sender.id ?? sender.network);
}

/** Counts a ticket or a message in one. Throws RATE_LIMITED, with the seconds to wait. */
export function countTicketMessage(ctx: Context, userId: string): Promise<void> {
  return countWriting(ctx, TICKET_LIMIT, userId);
}

/** Throws RATE_LIMITED, with the seconds to wait. */
export function countReport(ctx: Context, userId: string): Promise<void> {
  return countWriting(ctx, REPORT_LIMIT, userId);
}

import type { CallEndReason, CallKind } from '@stagedoor/contract/messaging/call-states.ts';
import type { CallerSummary, CallLog, CallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCallDuration } from '../../../platform/dates.ts';
import { formatOpening } from './opening-time.ts';
import * as texts from './texts.ts';

export const CALL_KIND_LABELS: Record<CallKind, string> = { video: 'Video call', audio: 'Voice call' };

export function getFirstName(name: string): string {
  return isolateText(name.trim().split(/\s+/u)[0] ?? name);
}

/** Formats "4 calls $98.60". Statements label every call "Video Call". */
export function formatSpending({ count, label, amount }: CallerSummary['spendingByKind'][number]): string {
  const unit = label === 'Video Call' ? 'call' : label.toLowerCase();
  return `${count} ${count === 1 || unit.endsWith('media') ? unit : `${unit}s`} ${formatUsd(amount)}`;
}

export function formatCallEnd(
  reason: CallEndReason | null,
  name: string,
  isOutgoing: boolean,
): { title: string; detail: string } {
  const firstName = getFirstName(name);
  const freeText = 'Nothing was charged.';
  switch (reason) {
    case 'noAnswer':
      return { title: `${firstName} didn’t answer.`, detail: `${freeText} ${firstName} sees that you called.` };
    case 'declined':
    case 'busy':
      return { title: `${firstName} is busy.`, detail: `${freeText} ${firstName} sees that you called.` };
    case 'offline':
      return { title: `${firstName} is offline.`, detail: `${freeText} ${firstName} sees that you called.` };
    case 'unavailable':
      return { title: `${firstName} isn’t taking calls right now.`, detail: freeText };
    case 'notConnected':
      return {
        title: 'Couldn’t connect the call.',
        detail: isOutgoing ? `No audio or video came through. ${freeText}` : 'No audio or video came through.',
      };
    case 'stopped':
      return {
        title: 'Stagedoor ended this call.',
        detail: isOutgoing ? 'You’re only charged for the time you talked.' : 'Only the time you talked is charged.',
      };
    case 'lost':
      return { title: 'Connection lost.', detail: 'Billing stopped when the connection dropped.' };
    case 'funds':
      return { title: 'The balance ran out.', detail: 'The call ended automatically.' };
    case 'limit':
      return { title: 'Your spending limit ended the call.', detail: 'Adding funds would not have continued it.' };
    case 'cancelled':
      return { title: 'Call canceled.', detail: freeText };
    default:
      return { title: 'Call ended.', detail: '' };
  }
}

/** Why the creator cannot be called now. Undefined when a call is possible. */
export function formatUnavailableReason({
  unavailableReason,
  opensAt,
}: Pick<CallTerms, 'unavailableReason' | 'opensAt'>): string | undefined {
  if (unavailableReason === null) return undefined;
  if (unavailableReason === 'busy') return 'In a call';
  if (unavailableReason === 'offline') return 'Offline';
  if (unavailableReason === 'conversations') return texts.chatToCall;
  if (unavailableReason === 'followers') return texts.followToCall;
  if (unavailableReason === 'buyers') return texts.buyersCallOnly;
  if (unavailableReason === 'subscribers') return texts.subscribeToCall;
  if (unavailableReason === 'closed' && opensAt) return `Available ${formatOpening(opensAt, new Date().toISOString())}`;
  return unavailableReason === 'blocked' ? 'Not available' : 'No calls now';
}

/** Whether a creator missed the call of a fan, seen or not. A declined call was not missed. */
export function isMissedCall({
  isOutgoing,
  answeredAt,
  reason,
}: Pick<CallLog, 'isOutgoing' | 'answeredAt' | 'reason'>): boolean {
  return !isOutgoing && answeredAt === null && reason !== 'declined' && reason !== 'stopped';
}

export function formatRefund({ amount, refunded }: Pick<CallLog, 'amount' | 'refunded'>): string {
  if (refunded === 0) return '';
  return refunded === amount ? 'refunded' : `${formatUsd(refunded)} refunded`;
}

export function formatCallLog(log: CallLog): string {
  const { isOutgoing, reason, durationSeconds, kind, isCallbackRequested } = log;
  const kindLabel = CALL_KIND_LABELS[kind];
  if (durationSeconds > 0) return `${kindLabel}, ${formatCallDuration(durationSeconds)}`;
  if (isOutgoing && isCallbackRequested) return 'Wants you to call back';
  if (isOutgoing) return `${kindLabel}, ${UNANSWERED_LABELS[reason ?? 'cancelled'] ?? 'not connected'}`;
  if (isMissedCall(log) && reason === 'cancelled') return `Missed ${kindLabel.toLowerCase()}, canceled`;
  return isMissedCall(log)
    ? `Missed ${kindLabel.toLowerCase()}`
    : `${kindLabel}, ${UNANSWERED_LABELS[reason ?? 'cancelled'] ?? 'no answer'}`;
}

const UNANSWERED_LABELS: Partial<Record<CallEndReason, string>> = {
  cancelled: 'canceled',
  declined: 'declined',
  noAnswer: 'no answer',
  busy: 'busy',
  offline: 'no answer',
  unavailable: 'unavailable',
  notConnected: 'not connected',
};

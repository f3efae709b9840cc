import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { CallKind, CallReason } from '@stagedoor/contract/call-states.ts';
import type { CallerFacts, CallLog, CallTerms } from '@stagedoor/contract/calls.ts';
import { isolated } from '../../kernel/bidi.ts';
import { formatTalk } from '../../kernel/dates.ts';

export const KIND_WORDS: Record<CallKind, string> = { video: 'Video call', audio: 'Voice call' };

export function shortName(name: string): string {
  return isolated(name.trim().split(/\s+/u)[0] ?? name);
}

/** Formats "4 calls $98.60". Statements label every call "Video Call". */
export function spentOnWords({ count, label, amount }: CallerFacts['spentOn'][number]): string {
  const one = label === 'Video Call' ? 'call' : label.toLowerCase();
  return `${count} ${count === 1 || one.endsWith('media') ? one : `${one}s`} ${formatUsd(amount)}`;
}

export function overWords(
  reason: CallReason | null,
  name: string,
  isOutgoing: boolean,
): { line: string; more: string } {
  const who = shortName(name);
  const free = 'Nothing was charged.';
  switch (reason) {
    case 'noAnswer':
      return { line: `${who} didn’t answer.`, more: `${free} ${who} sees that you called.` };
    case 'declined':
    case 'busy':
      return { line: `${who} is busy.`, more: `${free} ${who} sees that you called.` };
    case 'offline':
      return { line: `${who} is offline.`, more: `${free} ${who} sees that you called.` };
    case 'unavailable':
      return { line: `${who} isn’t taking calls right now.`, more: free };
    case 'notConnected':
      return {
        line: 'Couldn’t connect the call.',
        more: isOutgoing ? `No audio or video came through. ${free}` : 'No audio or video came through.',
      };
    case 'stopped':
      return {
        line: 'Stagedoor ended this call.',
        more: isOutgoing ? 'You’re only charged for the time you talked.' : 'Only the time you talked is charged.',
      };
    case 'lost':
      return { line: 'Connection lost.', more: 'Billing stopped when the connection dropped.' };
    case 'funds':
      return { line: 'The balance ran out.', more: 'The call ended automatically.' };
    case 'cancelled':
      return { line: 'Call canceled.', more: free };
    default:
      return { line: 'Call ended.', more: '' };
  }
}

/** Why the creator cannot be called now. Undefined when a call is possible. */
export function absenceWords({ absence, opensAt }: Pick<CallTerms, 'absence' | 'opensAt'>): string | undefined {
  if (absence === null) return undefined;
  if (absence === 'busy') return 'In a call';
  if (absence === 'offline') return 'Offline';
  if (absence === 'closed' && opensAt) return `Available ${opensWords(opensAt)}`;
  return absence === 'blocked' ? 'Not available' : 'No calls now';
}

/** Formats "18:30", or "Mon 18:30" on another day, in the viewer's time zone. */
function opensWords(iso: string): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(!isToday && { weekday: 'short' as const }),
  });
}

/** Whether a creator missed the call of a fan, seen or not. A declined call was not missed. */
export function wasMissed({
  isOutgoing,
  answeredAt,
  reason,
}: Pick<CallLog, 'isOutgoing' | 'answeredAt' | 'reason'>): boolean {
  return !isOutgoing && answeredAt === null && reason !== 'declined' && reason !== 'stopped';
}

export function givenBackWords({ amount, givenBack }: Pick<CallLog, 'amount' | 'givenBack'>): string {
  if (givenBack === 0) return '';
  return givenBack === amount ? 'refunded' : `${formatUsd(givenBack)} refunded`;
}

export function logWords(log: CallLog): string {
  const { isOutgoing, reason, durationSeconds, kind, isCallBackAsked } = log;
  const what = KIND_WORDS[kind];
  if (durationSeconds > 0) return `${what}, ${formatTalk(durationSeconds)}`;
  if (isOutgoing && isCallBackAsked) return 'Wants you to call back';
  if (isOutgoing) return `${what}, ${NOT_TALKED[reason ?? 'cancelled'] ?? 'not connected'}`;
  return wasMissed(log)
    ? `Missed ${what.toLowerCase()}`
    : `${what}, ${NOT_TALKED[reason ?? 'cancelled'] ?? 'no answer'}`;
}

const NOT_TALKED: Partial<Record<CallReason, string>> = {
  cancelled: 'canceled',
  declined: 'declined',
  noAnswer: 'no answer',
  busy: 'busy',
  offline: 'no answer',
  unavailable: 'unavailable',
  notConnected: 'not connected',
};

import type { Earning } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { showToast } from '../../../platform/feedback.ts';
import * as texts from './texts.ts';

/** The message of a tip that has just arrived. Undefined for other sales, and for a refund, which arrives again. */
export function formatTipToast({ kind, refunded, fan, gross, note }: Earning): string | undefined {
  if (kind !== 'tip' || refunded > 0) return undefined;
  const values = { fanName: isolateText(fan.name), amount: formatUsd(gross), note: isolateText(note) };
  return formatText(note === '' ? texts.tipReceivedToast : texts.tipWithNoteToast, values);
}

/** Shows the creator a tip wherever they are, in a call too. */
export function announceTip(earning: Earning): void {
  const message = formatTipToast(earning);
  if (message !== undefined) void showToast(message, 'success', { id: `earned:${earning.id}` });
}

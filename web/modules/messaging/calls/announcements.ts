import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCallEnd, getFirstName } from './call-labels.ts';
import { type CallStageState, isRunning } from './state.ts';
import * as texts from './texts.ts';

const isStageRinging = (stage: CallStageState) => stage.at === 'calling' && stage.isRinging;
const hasRunningClock = (stage: CallStageState) => stage.at === 'talking' && isRunning(stage);

/**
 * Returns the announcement for a stage change. Dialogs and banners announce their own text, so it is not repeated.
 * Undefined means no change. An empty string clears the last announcement.
 */
export function formatAnnouncement(before: CallStageState, after: CallStageState): string | undefined {
  if (isStageRinging(after) && !isStageRinging(before)) return texts.ringingAnnouncement;
  if (hasRunningClock(after) !== hasRunningClock(before) && after.at === 'talking')
    return hasRunningClock(after) ? texts.connectedBillingStarted : '';
  if (before.at === after.at) return undefined;
  if (before.at === 'incoming') return after.at === 'talking' ? '' : texts.stoppedRinging;
  if (before.at === 'calling' && after.at === 'talking')
    return formatText(texts.answeredAnnouncement, { name: getFirstName(after.call.other.name) });
  if (before.at !== 'talking') return '';
  if (after.at === 'elsewhere') return texts.callMovedAnnouncement;
  return after.at === 'over' ? formatCallEnd(after.end.reason, after.end.other.name, after.end.isOutgoing).title : '';
}

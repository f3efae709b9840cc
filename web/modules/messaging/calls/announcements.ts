import { formatCallEnd, getFirstName } from './call-labels.ts';
import { type CallStageState, isRunning } from './state.ts';

const isStageRinging = (stage: CallStageState) => stage.at === 'calling' && stage.isRinging;
const hasRunningClock = (stage: CallStageState) => stage.at === 'talking' && isRunning(stage);

/**
 * Returns the announcement for a stage change. Dialogs and banners announce their own text, so it is not repeated.
 * Undefined means no change. An empty string clears the last announcement.
 */
export function formatAnnouncement(before: CallStageState, after: CallStageState): string | undefined {
  if (isStageRinging(after) && !isStageRinging(before)) return 'Ringing.';
  if (hasRunningClock(after) !== hasRunningClock(before) && after.at === 'talking')
    return hasRunningClock(after) ? 'Connected. Billing started.' : '';
  if (before.at === after.at) return undefined;
  if (before.at === 'incoming') return after.at === 'talking' ? '' : 'Stopped ringing.';
  if (before.at === 'calling' && after.at === 'talking') return `${getFirstName(after.call.other.name)} answered.`;
  if (before.at !== 'talking') return '';
  if (after.at === 'elsewhere') return 'The call moved to your other device.';
  return after.at === 'over' ? formatCallEnd(after.end.reason, after.end.other.name, after.end.isOutgoing).title : '';
}

import { isRunning, type Stage } from './state.ts';
import { overWords, shortName } from './words.ts';

const rings = (stage: Stage) => stage.at === 'calling' && stage.isRinging;
const runs = (stage: Stage) => stage.at === 'talking' && isRunning(stage);

/**
 * Returns the announcement for a stage change. Dialogs and banners announce their own text, so it is not repeated.
 * Undefined means no change. An empty string clears the last announcement.
 */
export function spokenWords(before: Stage, after: Stage): string | undefined {
  if (rings(after) && !rings(before)) return 'Ringing.';
  if (runs(after) !== runs(before) && after.at === 'talking') return runs(after) ? 'Connected. Billing started.' : '';
  if (before.at === after.at) return undefined;
  if (before.at === 'incoming') return after.at === 'talking' ? '' : 'Stopped ringing.';
  if (before.at === 'calling' && after.at === 'talking') return `${shortName(after.call.other.name)} answered.`;
  if (before.at !== 'talking') return '';
  if (after.at === 'elsewhere') return 'The call moved to your other device.';
  return after.at === 'over' ? overWords(after.end.reason, after.end.other.name, after.end.isOutgoing).line : '';
}

/** The clock of a promise. */
import '../../../ui/styles/case.css';
import { Lamp } from '../../../ui/avatar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { clockOf } from '../words.ts';

/** `now` in ISO form. */
export function DeskClock({ answerBy, now }: { answerBy: string; now: string }) {
  const { lamp, words } = clockOf(answerBy, now);
  if (lamp === 'danger')
    return (
      <span className="case-clock num text-danger">
        <Icon name="warning" size={16} />
        {words}
      </span>
    );
  return (
    <span className="case-clock num">
      <Lamp state={lamp}>{words}</Lamp>
    </span>
  );
}

/** The clock that runs on a case. */
import '../../../ui/styles/case.css';
import type { CaseLine } from '@stagedoor/contract/cases-desk.ts';
import { Lamp } from '../../../ui/avatar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { clockOf } from './words.ts';

/** `now` in ISO form. */
export function CaseClock({ clock, now }: { clock: CaseLine['clock']; now: string }) {
  const { lamp, words } = clockOf(clock, now);
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

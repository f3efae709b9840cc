import './styles/case.css';
import { Lamp } from './avatar.tsx';
import { Icon } from './icon.tsx';

/** `danger`: the deadline has passed. */
export type ClockState = { lamp: 'on' | 'busy' | 'danger'; words: string };

export function Clock({ lamp, words }: ClockState) {
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

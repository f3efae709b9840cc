import './styles/case.css';
import { StatusDot } from './avatar.tsx';
import { Icon } from './icon.tsx';

/** `danger`: the deadline has passed. */
export type DeadlineState = { tone: 'on' | 'busy' | 'danger'; label: string };

export function Deadline({ tone, label }: DeadlineState) {
  if (tone === 'danger')
    return (
      <span className="case-clock num text-danger">
        <Icon name="warning" size={16} />
        {label}
      </span>
    );
  return (
    <span className="case-clock num">
      <StatusDot state={tone}>{label}</StatusDot>
    </span>
  );
}

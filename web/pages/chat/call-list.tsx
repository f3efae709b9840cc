import { BlockButton } from '../../features/blocking/block-button.tsx';
import { CallHistory } from '../../features/calls/history.tsx';

export function CallList() {
  return <CallHistory Block={BlockButton} />;
}

import { BlockButton } from '../../modules/identity/blocks/block-button.tsx';
import { CallHistory } from '../../modules/messaging/calls/history.tsx';

export function CallList() {
  return <CallHistory Block={BlockButton} />;
}

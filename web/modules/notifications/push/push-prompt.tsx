/**
 * Explains push notifications before the browser's permission prompt, with an equally prominent way to decline. Shown
 * once per account and device.
 */
import { useState } from 'react';
import { openOverlayRoot } from '../../../platform/overlay-root.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { isDesktopSafari, type PushState, savePushPreference, turnOnPush } from './device.ts';
import { LockScreen } from './lock-screen.tsx';

const USES = {
  customer: [
    { icon: 'feed', text: 'New posts from creators you follow' },
    { icon: 'chat', text: 'New messages' },
    { icon: 'key', text: 'New logins' },
  ],
  creator: [
    { icon: 'phone', text: 'Incoming calls, even when Stagedoor is closed' },
    { icon: 'chat', text: 'New message requests' },
    { icon: 'key', text: 'New logins' },
  ],
} as const;
type ViewerType = keyof typeof USES;

/** Safari on a Mac has its own text (row I3). */
function getPromptTexts(state: PushState) {
  const title = 'Turn on notifications?';
  if (state === 'install') return { title, acceptLabel: 'Show me how', declineLabel: 'Not now' };
  if (isDesktopSafari())
    return { title: 'Enable Safari Notifications', acceptLabel: 'Enable Notifications', declineLabel: 'Cancel' };
  return { title, acceptLabel: 'Turn on', declineLabel: 'Not now' };
}

type PushPromptProps = {
  type: ViewerType;
  userId: string;
  state: PushState;
  onShowInstructions: () => void;
  onClose: () => void;
};

function PushPrompt({ type, userId, state, onShowInstructions, onClose }: PushPromptProps) {
  const [isBusy, setBusy] = useState(false);
  const { title, acceptLabel, declineLabel } = getPromptTexts(state);
  const accept = async () => {
    if (state === 'install') {
      onClose();
      onShowInstructions();
      return;
    }
    setBusy(true);
    await turnOnPush(userId);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      lead={
        state === 'install'
          ? 'Add Stagedoor to your Home Screen to get notifications for:'
          : 'Your browser will ask for permission. We’ll notify you about:'
      }
    >
      <LockScreen />
      <ul className="push-uses">
        {USES[type].map(({ icon, text }) => (
          <li key={text}>
            <Icon name={icon} />
            {text}
          </li>
        ))}
      </ul>
      <p className="text-small text-muted">Private by default: no names or amounts on your lock screen. No ads.</p>
      <div className="dialog__acts">
        <Button variant="primary" size="lg" wide busy={isBusy} busyText="Turning on…" onClick={() => void accept()}>
          {acceptLabel}
        </Button>
        <Button variant="quiet" wide onClick={onClose}>
          {declineLabel}
        </Button>
      </div>
    </Dialog>
  );
}

export function showPushPrompt({
  onClose,
  ...props
}: Omit<PushPromptProps, 'onClose'> & { onClose?: () => void }): void {
  savePushPreference(props.userId, 'prompted');
  const overlayRoot = openOverlayRoot();
  const close = () => {
    overlayRoot.close();
    onClose?.();
  };
  overlayRoot.show(<PushPrompt {...props} onClose={close} />);
}

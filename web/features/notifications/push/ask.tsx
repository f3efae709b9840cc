/**
 * Explains push notifications before the browser asks for permission, with an equally prominent way to decline. Shown
 * once per account and device.
 */
import { useState } from 'react';
import { openOverPage } from '../../../kernel/over-page.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { isDesktopSafari, keepWish, type PushState, turnOnPush } from './device.ts';
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
type Type = keyof typeof USES;

/** Safari on a Mac has its own text (row I3). */
function wordsFor(state: PushState) {
  const title = 'Turn on notifications?';
  if (state === 'install') return { title, yes: 'Show me how', no: 'Not now' };
  if (isDesktopSafari()) return { title: 'Enable Safari Notifications', yes: 'Enable Notifications', no: 'Cancel' };
  return { title, yes: 'Turn on', no: 'Not now' };
}

type Props = { type: Type; userId: string; state: PushState; onHowTo: () => void; onClose: () => void };

function Ask({ type, userId, state, onHowTo, onClose }: Props) {
  const [isBusy, setBusy] = useState(false);
  const { title, yes, no } = wordsFor(state);
  const accept = async () => {
    if (state === 'install') {
      onClose();
      onHowTo();
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
          {yes}
        </Button>
        <Button variant="quiet" wide onClick={onClose}>
          {no}
        </Button>
      </div>
    </Dialog>
  );
}

export function askForPush({ onClose, ...props }: Omit<Props, 'onClose'> & { onClose?: () => void }): void {
  keepWish(props.userId, 'asked');
  const place = openOverPage();
  const close = () => {
    place.close();
    onClose?.();
  };
  place.show(<Ask {...props} onClose={close} />);
}

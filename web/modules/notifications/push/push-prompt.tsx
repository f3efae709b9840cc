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
import * as texts from './texts.ts';

const USES = {
  customer: [
    { icon: 'feed', text: texts.newPostsFromCreators },
    { icon: 'chat', text: texts.newMessages },
    { icon: 'key', text: texts.newLogins },
  ],
  creator: [
    { icon: 'phone', text: texts.incomingCallsUse },
    { icon: 'chat', text: texts.newMessageRequests },
    { icon: 'key', text: texts.newLogins },
  ],
} as const;
type ViewerType = keyof typeof USES;

/** Safari on a Mac has its own text (row I3). */
function getPromptTexts(state: PushState) {
  const title = texts.turnOnNotificationsQuestion;
  if (state === 'install') return { title, acceptLabel: texts.showMeHow, declineLabel: texts.notNow };
  if (isDesktopSafari())
    return {
      title: texts.enableSafariNotifications,
      acceptLabel: texts.enableNotifications,
      declineLabel: texts.cancel,
    };
  return { title, acceptLabel: texts.turnOn, declineLabel: texts.notNow };
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
      lead={state === 'install' ? texts.installPromptLead : texts.permissionPromptLead}
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
      <p className="text-small text-muted">{texts.pushPrivacyNote}</p>
      <div className="dialog__acts">
        <Button variant="primary" size="lg" wide busy={isBusy} busyText={texts.turningOn} onClick={() => void accept()}>
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

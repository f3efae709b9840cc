/** Shows blocked users why their account is blocked and lets them appeal (rows A12, J1). */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ContactDialog } from '../modules/trust/support/contact-dialog.tsx';
import { getBlockNotice, showToast } from '../platform/feedback.ts';
import { logOut } from '../platform/log-out.ts';
import { useViewer } from '../platform/session.ts';
import { onSignal } from '../platform/signals.ts';
import { BLOCKED_MESSAGE } from './blocked-message.ts';

export function BlockedDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const viewer = useViewer();
  const [isSent, setSent] = useState(false);
  // After the appeal is sent, background requests stay silent. Only a request that the user triggers shows the reason
  // again.
  useEffect(() => {
    if (!isSent) return;
    return onSignal('blocked', () => {
      // Firefox supports `navigator.userActivation` since version 120.
      const isPressed = !('userActivation' in navigator) || navigator.userActivation.isActive;
      if (isPressed) void showToast(getBlockNotice()?.message ?? BLOCKED_MESSAGE, 'error');
    });
  }, [isSent]);
  // A user who was logged in is logged out because the page behind the dialog is no longer theirs.
  const leave = () => {
    onClose();
    if (viewer) void logOut(client);
  };
  if (isSent) return null;
  return (
    <ContactDialog
      notice={getBlockNotice()?.message ?? BLOCKED_MESSAGE}
      proof={getBlockNotice()?.proof}
      onClose={leave}
      onSent={() => setSent(true)}
    />
  );
}

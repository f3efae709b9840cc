/** Says that the account is blocked and why, and takes what its person writes to us: their appeal (rows A12, J1). */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ContactDialog } from '../features/cases/contact-dialog.tsx';
import { logOut } from '../kernel/log-out.ts';
import { lastBlock, showToast } from '../kernel/outcome.ts';
import { useViewer } from '../kernel/session.ts';
import { onSignal } from '../kernel/signals.ts';
import { BLOCKED_WORDS } from './blocked-words.ts';

export function BlockedDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const viewer = useViewer();
  const [isSent, setSent] = useState(false);
  // Who has written to us is not asked again by what the page refreshes of itself; what they press themselves has its answer.
  useEffect(() => {
    if (!isSent) return;
    return onSignal('blocked', () => {
      // Firefox says since its version 120 whether somebody has just pressed.
      const isPressed = !('userActivation' in navigator) || navigator.userActivation.isActive;
      if (isPressed) void showToast(lastBlock()?.words ?? BLOCKED_WORDS, 'error');
    });
  }, [isSent]);
  // Who was logged in is so no more: the page around the notice is not theirs.
  const leave = () => {
    onClose();
    if (viewer) void logOut(client);
  };
  if (isSent) return null;
  return (
    <ContactDialog
      happened={lastBlock()?.words ?? BLOCKED_WORDS}
      proof={lastBlock()?.proof}
      onClose={leave}
      onSent={() => setSent(true)}
    />
  );
}

/** Says that the account is blocked and why, and takes what its person writes to us: their appeal (rows A12, J1). */
import { useQueryClient } from '@tanstack/react-query';
import { ContactDialog } from '../features/cases/contact-dialog.tsx';
import { blockedWords } from '../kernel/outcome.ts';
import { logOut, useViewer } from '../kernel/session.ts';
import { BLOCKED_WORDS } from './blocked-words.ts';

export function BlockedDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const viewer = useViewer();
  // Who was logged in is so no more: the page around the notice is not theirs.
  const leave = () => {
    onClose();
    if (viewer) void logOut(client);
  };
  return <ContactDialog happened={blockedWords() ?? BLOCKED_WORDS} onClose={leave} onSent={onClose} />;
}

/** Says that the account is blocked and how to reach us (row A12). */
import { useQueryClient } from '@tanstack/react-query';
import { useContactMail } from '../kernel/contact.ts';
import { logOut } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { BLOCKED_WORDS } from './blocked-words.ts';

export function BlockedDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const mail = useContactMail();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Contact us" lead={BLOCKED_WORDS}>
      <div className="dialog__acts">
        <Button variant="primary" size="lg" wide href={`mailto:${mail}?subject=Blocked%20account`} icon="mail">
          Write to {mail}
        </Button>
        <Button variant="quiet" wide onClick={() => void logOut(client)}>
          Log out
        </Button>
      </div>
    </Dialog>
  );
}

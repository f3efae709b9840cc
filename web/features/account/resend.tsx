/** Asks for the verification mail again, with a pause between. */
import { resendEmail } from '@stagedoor/contract/accounts.ts';
import { useEffect, useState } from 'react';
import { useApiMutation } from '../../kernel/mutation.ts';
import { Button, type ButtonVariant } from '../../ui/button.tsx';

const PAUSE_SECONDS = 30;

/** With no username `onMissing` is told, and nothing is sent. */
export function Resend({
  username,
  variant = 'line',
  onMissing,
}: {
  username: string;
  variant?: ButtonVariant;
  onMissing?: () => void;
}) {
  const [wait, setWait] = useState(0);
  const resend = useApiMutation(resendEmail, { showSuccessMessage: true, onSuccess: () => setWait(PAUSE_SECONDS) });
  useEffect(() => {
    if (wait === 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  return (
    <Button
      variant={variant}
      wide
      disabled={wait > 0}
      busy={resend.isPending}
      busyText="Sending…"
      onClick={() => (username.trim() === '' && onMissing ? onMissing() : resend.mutate({ body: { username } }))}
    >
      {wait > 0 ? `Sent. Again in ${wait} s` : 'Send the mail again'}
    </Button>
  );
}

import { resendEmail } from '@stagedoor/contract/accounts.ts';
import { MAIL_PAUSE_SECONDS } from '@stagedoor/contract/atoms/limits.ts';
import { useEffect, useState } from 'react';
import { useApiMutation } from '../../kernel/mutation.ts';
import { Button, type ButtonVariant } from '../../ui/button.tsx';

/**
 * Calls `onMissing` when there is no username. The server sends no second email within the pause, so the button is
 * disabled meanwhile.
 * @param pauseSeconds The remaining part of the pause.
 */
export function Resend({
  username,
  variant = 'line',
  onMissing,
  pauseSeconds = 0,
  onSent,
}: {
  username: string;
  variant?: ButtonVariant;
  onMissing?: () => void;
  pauseSeconds?: number;
  onSent?: () => void;
}) {
  const [wait, setWait] = useState(pauseSeconds);
  const resend = useApiMutation(resendEmail, {
    showSuccessMessage: true,
    onSuccess: () => {
      setWait(MAIL_PAUSE_SECONDS);
      onSent?.();
    },
  });
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
      {wait > 0 ? `Resend in ${wait} s` : 'Resend email'}
    </Button>
  );
}

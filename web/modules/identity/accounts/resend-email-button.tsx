import { resendEmail } from '@stagedoor/contract/identity/accounts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { MAIL_INTERVAL_SECONDS } from '@stagedoor/contract/shared/limits.ts';
import { useEffect, useState } from 'react';
import { useApiMutation } from '../../../platform/mutation.ts';
import { Button, type ButtonVariant } from '../../../ui/button.tsx';
import * as texts from './texts.ts';

/**
 * Calls `onMissing` when there is no username. The server sends no second email within the pause, so the button is
 * disabled meanwhile.
 * @param pauseSeconds The remaining part of the pause.
 */
export function ResendEmailButton({
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
  const [secondsLeft, setSecondsLeft] = useState(pauseSeconds);
  const resend = useApiMutation(resendEmail, {
    showSuccessMessage: true,
    onSuccess: () => {
      setSecondsLeft(MAIL_INTERVAL_SECONDS);
      onSent?.();
    },
  });
  useEffect(() => {
    if (secondsLeft === 0) return;
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000);
    return () => clearTimeout(timer);
  }, [secondsLeft]);
  return (
    <Button
      variant={variant}
      wide
      disabled={secondsLeft > 0}
      busy={resend.isPending}
      busyText={texts.sending}
      onClick={() => (username.trim() === '' && onMissing ? onMissing() : resend.mutate({ body: { username } }))}
    >
      {secondsLeft > 0 ? formatText(texts.resendCountdown, { secondsLeft }) : texts.resendEmail}
    </Button>
  );
}

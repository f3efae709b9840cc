/** After the sign-up: where the mail went, and what to do if it doesn't come. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { Button } from '../../ui/button.tsx';
import { Resend } from './resend.tsx';

export function CheckMail({
  username,
  email,
  isDevelopment,
}: {
  username: string;
  email: string;
  isDevelopment: boolean;
}) {
  return (
    <div className="form">
      <p role="status">
        We sent a link to <b className="break-all">{email}</b>. Open it to confirm that the address is yours; then you
        can log in.
      </p>
      <p className="text-note text-muted">
        Nothing after a few minutes? Look in the spam folder, or have it sent again.
      </p>
      <Resend username={username} isFresh />
      {isDevelopment && (
        <Button variant="quiet" wide href={`${PATHS.devMailbox}?to=${encodeURIComponent(email)}`}>
          Open the development mailbox
        </Button>
      )}
    </div>
  );
}

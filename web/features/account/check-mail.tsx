import { PATHS } from '@stagedoor/contract/addresses.ts';
import { MAIL_PAUSE_SECONDS } from '@stagedoor/contract/atoms/limits.ts';
import { Fragment, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { Registered } from './registered.ts';
import { Resend } from './resend.tsx';

function pauseAfter(sentAt: number): number {
  const passed = Math.floor((Date.now() - sentAt) / 1000);
  return Math.min(Math.max(MAIL_PAUSE_SECONDS - passed, 0), MAIL_PAUSE_SECONDS);
}

const breakable = (email: string) =>
  email.match(/[^@.]*[@.]|[^@.]+/g)?.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address keep their places
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

interface Props {
  registered: Registered;
  isDevelopment: boolean;
  otherHref: string;
  onOther: () => void;
  onSent: () => void;
}

export function CheckMail({ registered, isDevelopment, otherHref, onOther, onSent }: Props) {
  const { username, email, sentAt } = registered;
  const [pauseSeconds] = useState(() => (sentAt === undefined ? MAIL_PAUSE_SECONDS : pauseAfter(sentAt)));
  return (
    <div className="form">
      <p role="status">
        We sent a link to <b className="wrap-anywhere">{breakable(email)}</b>. Open it to confirm your email, then log
        in.
      </p>
      <p className="text-note text-muted">Didn’t get it? Check your spam folder or resend the email.</p>
      <Resend username={username} pauseSeconds={pauseSeconds} onSent={onSent} />
      <Button variant="quiet" wide href={otherHref} onClick={onOther}>
        Use a different email
      </Button>
      {isDevelopment && (
        <Button variant="quiet" wide href={`${PATHS.devMailbox}?to=${encodeURIComponent(email)}`}>
          Open the test mailbox
        </Button>
      )}
    </div>
  );
}

import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { MAIL_INTERVAL_SECONDS } from '@stagedoor/contract/shared/limits.ts';
import { Fragment, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { ResendEmailButton } from './resend-email-button.tsx';
import type { SignedUpAccount } from './signed-up-account.ts';
import * as texts from './texts.ts';

function getRemainingPause(sentAt: number): number {
  const elapsedSeconds = Math.floor((Date.now() - sentAt) / 1000);
  return Math.min(Math.max(MAIL_INTERVAL_SECONDS - elapsedSeconds, 0), MAIL_INTERVAL_SECONDS);
}

const toBreakableEmail = (email: string) =>
  email.match(/[^@.]*[@.]|[^@.]+/g)?.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address never change their order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

interface CheckMailProps {
  account: SignedUpAccount;
  isDevelopment: boolean;
  changeAddressHref: string;
  onChangeAddress: () => void;
  onSent: () => void;
}

export function CheckMail({ account, isDevelopment, changeAddressHref, onChangeAddress, onSent }: CheckMailProps) {
  const { username, email, sentAt } = account;
  const [pauseSeconds] = useState(() => (sentAt === undefined ? MAIL_INTERVAL_SECONDS : getRemainingPause(sentAt)));
  return (
    <div className="form">
      <p role="status">
        {formatNodes(texts.confirmationLinkSent, {
          emailAddress: <b className="wrap-anywhere">{toBreakableEmail(email)}</b>,
        })}
      </p>
      <p className="text-note text-muted">{texts.emailMissingHint}</p>
      <ResendEmailButton username={username} pauseSeconds={pauseSeconds} onSent={onSent} />
      <Button variant="quiet" wide href={changeAddressHref} onClick={onChangeAddress}>
        {texts.useADifferentEmail}
      </Button>
      {isDevelopment && (
        <Button variant="quiet" wide href={`${PATHS.devMailbox}?to=${encodeURIComponent(email)}`}>
          {texts.openTheTestMailbox}
        </Button>
      )}
    </div>
  );
}

import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import { cx } from './class-names.ts';
import { UiLink } from './link.tsx';
import * as texts from './texts.ts';

export interface InlineErrorProps {
  message: string;
  href?: string | undefined;
  className?: string | undefined;
}

/** An expired session always has this message. The login opens in a new tab, so that what was typed here remains. */
function isSessionExpired(message: string): boolean {
  return message === ERRORS.UNAUTHORIZED.message;
}

export function InlineError({ message, href, className }: InlineErrorProps) {
  const linkClassName = 'block w-fit py-3 text-ink underline underline-offset-4';
  return (
    <p role="alert" className={cx('pt-2 text-small text-danger', className)}>
      {message}
      {isSessionExpired(message) ? (
        <UiLink href={PATHS.login} target="_blank" className={linkClassName}>
          {texts.logIn}
        </UiLink>
      ) : (
        href !== undefined && (
          <UiLink href={href} className={linkClassName}>
            {texts.learnMore}
          </UiLink>
        )
      )}
    </p>
  );
}

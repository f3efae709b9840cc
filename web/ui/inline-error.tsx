import { use } from 'react';
import { cx } from './class-names.ts';
import { ErrorActionContext } from './error-action.ts';
import { UiLink } from './link.tsx';
import * as texts from './texts.ts';

export interface InlineErrorProps {
  message: string;
  href?: string | undefined;
  className?: string | undefined;
}

export function InlineError({ message, href, className }: InlineErrorProps) {
  const action = use(ErrorActionContext)(message);
  const linkClassName = 'block w-fit py-3 text-ink underline underline-offset-4';
  return (
    <p role="alert" className={cx('pt-2 text-small text-danger', className)}>
      {message}
      {action ? (
        <UiLink href={action.href} target="_blank" className={linkClassName}>
          {action.label}
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

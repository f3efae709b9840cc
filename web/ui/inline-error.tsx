import { createContext, use } from 'react';
import { cx } from './class-names.ts';
import { UiLink } from './link.tsx';
import * as texts from './texts.ts';

export interface InlineErrorProps {
  message: string;
  href?: string | undefined;
  className?: string | undefined;
}

/** The action that resolves an error. It opens in a new tab, so that what was typed here remains. */
export type ErrorAction = { label: string; href: string };

const ErrorActionContext = createContext<(message: string) => ErrorAction | undefined>(() => undefined);
/** Provides the actions of messages that any request can return. */
export const ErrorActionProvider = ErrorActionContext;

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

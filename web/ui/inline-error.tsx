import { cx } from './class-names.ts';
import { UiLink } from './link.tsx';
import * as texts from './texts.ts';

export interface InlineErrorProps {
  message: string;
  href?: string | undefined;
  className?: string | undefined;
}

export function InlineError({ message, href, className }: InlineErrorProps) {
  return (
    <p role="alert" className={cx('pt-2 text-small text-danger', className)}>
      {message}
      {href !== undefined && (
        <UiLink href={href} className="block w-fit py-3 text-ink underline underline-offset-4">
          {texts.learnMore}
        </UiLink>
      )}
    </p>
  );
}

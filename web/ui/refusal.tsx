import { cx } from './class-names.ts';
import { UiLink } from './link.tsx';

export interface RefusalProps {
  message: string;
  href?: string | undefined;
  className?: string | undefined;
}

export function Refusal({ message, href, className }: RefusalProps) {
  return (
    <p role="alert" className={cx('pt-2 text-small text-danger', className)}>
      {message}
      {href !== undefined && (
        <UiLink href={href} className="block w-fit py-3 text-ink underline underline-offset-4">
          Learn more
        </UiLink>
      )}
    </p>
  );
}

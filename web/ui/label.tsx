import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from './class-names.ts';
import { UiLink } from './link.tsx';
import * as texts from './texts.ts';

export interface LabelProps {
  title: ReactNode;
  detail?: ReactNode;
  price?: ReactNode;
  stacked?: boolean | undefined;
  className?: string | undefined;
}

export function Label({ title, detail, price, stacked, className }: LabelProps) {
  return (
    <span className={cx('label', stacked && 'label--stacked', className)}>
      <span className="label__who one-line">
        <bdi>{title}</bdi>
      </span>
      {detail && <span className="label__what one-line">{detail}</span>}
      {price && <span className="label__price num">{price}</span>}
    </span>
  );
}

export function VerifiedTick({ label = texts.verified }: { label?: string | undefined }) {
  return (
    <svg className="tick" viewBox="0 0 16 16" role="img" aria-label={label}>
      <circle cx="8" cy="8" r="8" />
      <path d="m4.5 8.2 2.4 2.4 4.6-5" />
    </svg>
  );
}

export function VerifiedName({
  children,
  href,
  verified,
}: {
  children: string;
  href?: string | undefined;
  verified?: boolean | undefined;
}) {
  const text = <bdi className="name__text one-line">{children}</bdi>;
  return (
    <span className="name">
      {href === undefined ? (
        text
      ) : (
        <UiLink href={href} className="min-w-0">
          <bdi className="one-line">{children}</bdi>
        </UiLink>
      )}
      {verified && <VerifiedTick />}
    </span>
  );
}

export function OwnedDot({ children = texts.yours }: { children?: string | undefined }) {
  return <span className="yours">{children}</span>;
}

export function CountBadge({ value, label, max = 99 }: { value: number; label: string; max?: number | undefined }) {
  if (value <= 0) return null;
  return (
    <span className="count">
      {value > max ? `${max}+` : value}
      <span className="sr-only"> {label}</span>
    </span>
  );
}

export interface SectionHeadProps {
  title: string;
  id?: string | undefined;
  level?: 1 | 2 | 3 | undefined;
  size?: 'd2' | 'd3' | 'd4' | undefined;
  end?: ReactNode;
  href?: string | undefined;
}

export function SectionHead({ title, id, level = 2, size = 'd4', end, href }: SectionHeadProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="head">
      <Heading className={cx('display min-w-0 wrap-anywhere', size)} id={id}>
        {title}
      </Heading>
      {end !== undefined &&
        (href === undefined ? (
          <span className="head__link num">{end}</span>
        ) : (
          <UiLink href={href} className="head__link num">
            {end}
          </UiLink>
        ))}
    </div>
  );
}

/**
 * A page heading that takes the focus so that keyboard shortcuts work at once, unless the user had focused something
 * before hydration.
 */
export function FocusedHeading({ children }: { children: string }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement?.closest('#main > *') == null) head.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={head} tabIndex={-1} className="display d3 min-w-0 wrap-anywhere focus:outline-none">
      {children}
    </h1>
  );
}

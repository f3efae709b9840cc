import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { UiLink } from './link.tsx';
import * as texts from './texts.ts';

export type ButtonVariant = 'primary' | 'line' | 'ink' | 'quiet' | 'danger';

interface ButtonStyle {
  variant?: ButtonVariant | undefined;
  size?: 'md' | 'lg' | undefined;
  wide?: boolean | undefined;
}

interface BusyProps {
  busy?: boolean | undefined;
  busyText?: string | undefined;
}

type ButtonElement = Omit<ComponentProps<'button'>, 'children'>;
type AnchorElement = Omit<ComponentProps<'a'>, 'children' | 'href'>;
type AsButton = ButtonElement & BusyProps & { href?: undefined };
type AsLink = AnchorElement & { href: string; busy?: undefined; busyText?: undefined };

export type ButtonProps = ButtonStyle & { icon?: IconName | undefined; children: ReactNode } & (AsButton | AsLink);

function toClassName({ variant = 'line', size = 'md', wide }: ButtonStyle, ...more: Array<string | false | undefined>) {
  return cx('btn', `btn--${variant}`, size === 'lg' && 'btn--lg', wide && 'btn--wide', ...more);
}

function Stack({ busy, busyText, children }: BusyProps & { children: ReactNode }) {
  return (
    <span className="btn__stack">
      <span data-label="" data-hidden={busy ? '' : undefined}>
        {children}
      </span>
      <span data-hidden={busy ? undefined : ''} aria-hidden={!busy}>
        <span className="spinner" />
        {busyText}
      </span>
    </span>
  );
}

/** A busy button stays focusable and announces its state, but ignores presses. */
function PlainButton({
  busy,
  busyText,
  onClick,
  children,
  ...rest
}: ButtonElement & BusyProps & { children: ReactNode }) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button type="button" {...rest} onClick={press} {...(busy && { 'aria-disabled': true, 'aria-busy': true })}>
      {busy !== undefined || busyText ? (
        <Stack busy={busy} busyText={busyText}>
          {children}
        </Stack>
      ) : (
        children
      )}
    </button>
  );
}

export function Button({ variant, size, wide, icon, className, children, ...rest }: ButtonProps) {
  const classes = toClassName({ variant, size, wide }, className);
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
  if (rest.href !== undefined) {
    const { busy: _, busyText: __, ...anchor } = rest;
    return (
      <UiLink {...anchor} className={classes}>
        {content}
      </UiLink>
    );
  }
  const { href: _, ...button } = rest;
  return (
    <PlainButton {...button} className={classes}>
      {content}
    </PlainButton>
  );
}

export type PriceButtonProps = ButtonStyle & {
  verb: string;
  /** Formatted with two decimals: `$12.00` or `$4.00/min`. */
  price: string;
  split?: boolean | undefined;
  icon?: IconName | undefined;
} & (AsButton | AsLink);

export function PriceButton({
  verb,
  price,
  split,
  icon,
  variant = 'primary',
  size,
  wide,
  className,
  ...rest
}: PriceButtonProps) {
  const classes = toClassName({ variant, size, wide }, split && 'btn--split', className);
  const content = split ? (
    <>
      <span className="btn__price" style={{ gap: 10 }}>
        {icon && <Icon name={icon} />}
        {verb}
      </span>
      <span className="num">{price}</span>
    </>
  ) : (
    <>
      {icon && <Icon name={icon} />}
      <span className="btn__price">
        {verb} <span aria-hidden="true">·</span> <span className="num">{price}</span>
      </span>
    </>
  );
  if (rest.href !== undefined) {
    const { busy: _, busyText: __, ...anchor } = rest;
    return (
      <UiLink {...anchor} className={classes}>
        {content}
      </UiLink>
    );
  }
  const { href: _, busyText = texts.paying, ...button } = rest;
  return (
    <PlainButton {...button} busyText={busyText} className={classes}>
      {content}
    </PlainButton>
  );
}

export type IconButtonProps = {
  icon: IconName;
  label: string;
  /** Text next to the icon. It must be part of the label ('Like, 318 likes'), which screen readers read. */
  text?: ReactNode;
  size?: number | undefined;
  quiet?: boolean | undefined;
} & ((ButtonElement & { href?: undefined }) | (AnchorElement & { href: string }));

export function IconButton({ icon, label, text, size, quiet, className, ...rest }: IconButtonProps) {
  const classes = cx('icon-btn', text !== undefined && 'icon-btn--worded', quiet && 'icon-btn--quiet', className);
  const content = (
    <>
      <Icon name={icon} size={size} className="icon--toggle" />
      {text}
    </>
  );
  if (rest.href !== undefined) {
    return (
      <UiLink {...rest} className={classes} aria-label={label}>
        {content}
      </UiLink>
    );
  }
  const { href: _, ...button } = rest;
  return (
    <button type="button" {...button} className={classes} aria-label={label}>
      {content}
    </button>
  );
}

import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { UiLink } from './link.tsx';

export function Chips({
  label,
  wrap,
  children,
  className,
}: {
  label: string;
  wrap?: boolean | undefined;
  children: ReactNode;
  className?: string | undefined;
}) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = row.current;
    const chip = box?.querySelector<HTMLElement>('[aria-current]');
    if (box && chip) box.scrollLeft = chip.offsetLeft - box.offsetLeft - box.clientWidth / 3;
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways
    <div ref={row} className={cx('chips', wrap && 'chips--wrap', className)} role="group" aria-label={label}>
      {children}
    </div>
  );
}

export function ChipLink({
  href,
  current,
  children,
  icon,
}: {
  href: string;
  current?: boolean | undefined;
  children: ReactNode;
  icon?: IconName | undefined;
}) {
  return (
    <UiLink href={href} keepsScroll className="chip" aria-current={current ? 'true' : undefined}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </UiLink>
  );
}

export function Chip({
  pressed,
  icon,
  children,
  className,
  ...rest
}: ComponentProps<'button'> & { pressed?: boolean | undefined; icon?: IconName | undefined }) {
  return (
    <button type="button" {...rest} className={cx('chip', className)} aria-pressed={pressed}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </button>
  );
}

export function ChipInput({
  children,
  type = 'radio',
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { type?: 'radio' | 'checkbox' | undefined }) {
  return (
    <label className="chip">
      <input type={type} {...rest} className="sr-only" />
      {children}
    </label>
  );
}

export interface TabLink {
  href: string;
  label: string;
  count?: number | string | undefined;
}

export function Tabs({
  id,
  label,
  tabs,
  current,
  className,
}: {
  id?: string | undefined;
  label: string;
  tabs: readonly TabLink[];
  current: string;
  className?: string | undefined;
}) {
  return (
    <nav id={id} className={cx('tabs', className)} aria-label={label}>
      {tabs.map((tab) => (
        <UiLink
          key={tab.href}
          href={tab.href}
          keepsScroll
          className="tab"
          aria-current={tab.href === current ? 'page' : undefined}
        >
          {tab.label}
          {tab.count !== undefined && <span className="num">{tab.count}</span>}
        </UiLink>
      ))}
    </nav>
  );
}

// Overlays that need no script: a menu in <details>, and a sheet and a short explanation with the popover attribute.
import './styles/overlays.css';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { UiLink } from './link.tsx';
import { calculateMenuPosition } from './popover-position.ts';
import * as texts from './texts.ts';

export interface MenuLinkItem {
  label: string;
  href: string;
  icon?: IconName | undefined;
  danger?: boolean | undefined;
}

function positionMenu(root: HTMLDetailsElement): void {
  const [button, menu] = [root.querySelector('summary'), root.querySelector<HTMLElement>('.menu')];
  if (!button || !menu) return;
  const findRect = (bar: string) => {
    const box = document.querySelector(bar)?.getBoundingClientRect();
    return box && box.height > 0 ? box : undefined;
  };
  const bounds = {
    from: Math.max(0, findRect('.topbar')?.bottom ?? 0, findRect('.strip')?.bottom ?? 0),
    to: Math.min(window.innerHeight, findRect('.tabbar')?.top ?? window.innerHeight),
  };
  const { isAbove, maxHeight } = calculateMenuPosition(button.getBoundingClientRect(), menu.scrollHeight + 2, bounds);
  root.dataset.above = String(isAbove);
  menu.style.maxHeight = `${maxHeight}px`;
}

export function DetailsMenu({
  label,
  trigger,
  icon = 'more',
  items,
  children,
  align = 'end',
  onOpenChange,
}: {
  label: string;
  trigger?: ReactNode;
  icon?: IconName | undefined;
  items?: readonly MenuLinkItem[] | undefined;
  children?: ReactNode;
  align?: 'start' | 'end' | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
}) {
  const root = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  const handleToggle = (isNowOpen: boolean) => {
    setOpen(isNowOpen);
    onOpenChange?.(isNowOpen);
  };
  useLayoutEffect(() => {
    if (isOpen && root.current) positionMenu(root.current);
  });
  const close = () => {
    if (root.current) root.current.open = false;
  };
  return (
    <details
      ref={root}
      className={cx('details-menu', align === 'start' && 'details-menu--start')}
      onToggle={(event) => handleToggle(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !root.current?.open) return;
        close();
        root.current.querySelector('summary')?.focus();
      }}
      onClick={(event) => event.target instanceof Element && event.target.closest('.menu__item') && close()}
    >
      <summary className={trigger ? 'btn btn--quiet' : 'icon-btn'} aria-label={trigger ? undefined : label}>
        {trigger ?? <Icon name={icon} />}
      </summary>
      <ul className="menu" aria-label={label}>
        {items?.map((item) => (
          <li key={item.href}>
            <UiLink href={item.href} className={cx('menu__item', item.danger && 'menu__item--danger')}>
              {item.icon && <Icon name={item.icon} />}
              {item.label}
            </UiLink>
          </li>
        ))}
        {children}
      </ul>
    </details>
  );
}

export interface PopoverSheetProps {
  id: string;
  title: string;
  step?: string | undefined;
  children: ReactNode;
}

/** The dialog of pages without script. Open it with <PopoverTrigger for={id}>. */
export function PopoverSheet({ id, title, step, children }: PopoverSheetProps) {
  return (
    <div id={id} popover="auto" className="dialog pop-sheet" role="dialog" aria-labelledby={`${id}-title`}>
      <div className="dialog__head">
        <span className="dialog__step">{step}</span>
        <button
          type="button"
          className="icon-btn"
          aria-label={texts.close}
          popoverTarget={id}
          popoverTargetAction="hide"
        >
          <Icon name="close" />
        </button>
      </div>
      <h2 className="display d3 dialog__title" id={`${id}-title`}>
        {title}
      </h2>
      {children}
    </div>
  );
}

export function PopoverTrigger({
  for: target,
  className = 'btn btn--line',
  label,
  children,
}: {
  for: string;
  className?: string | undefined;
  label?: string | undefined;
  children: ReactNode;
}) {
  return (
    <button type="button" className={className} popoverTarget={target} aria-label={label} aria-haspopup="dialog">
      {children}
    </button>
  );
}

export function Toggletip({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <button type="button" className="toggletip" aria-label={label} popoverTarget={id}>
        <Icon name="help" size={18} />
      </button>
      <span id={id} popover="auto" className="tip" role="note">
        {children}
      </span>
    </>
  );
}

// The open menu, with arrow keys and type-ahead by Radix. It loads with the first press (menu.tsx).
import './styles/overlays.css';
import * as Radix from 'radix-ui/dropdown-menu';
import type { KeyboardEvent, ReactElement } from 'react';
import { cx } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';
import { UiLink } from './link.tsx';

export interface MenuAction {
  label: string;
  icon?: IconName | undefined;
  onSelect?: (() => void) | undefined;
  href?: string | undefined;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
}

export type TriggerProps = {
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
};

export interface MenuProps {
  label: string;
  trigger: ReactElement<TriggerProps>;
  /** `null` is a separator. */
  items: ReadonlyArray<MenuAction | null>;
  align?: 'start' | 'end' | undefined;
}

function MenuItem({ item }: { item: MenuAction }) {
  const classes = cx('menu__item', item.danger && 'menu__item--danger');
  const content = (
    <>
      {item.icon && <Icon name={item.icon} />}
      {item.label}
    </>
  );
  const select = item.onSelect && { onSelect: item.onSelect };
  if (item.href !== undefined) {
    return (
      <Radix.Item asChild disabled={item.disabled ?? false} {...select}>
        <UiLink href={item.href} className={classes}>
          {content}
        </UiLink>
      </Radix.Item>
    );
  }
  return (
    <Radix.Item className={classes} disabled={item.disabled ?? false} {...select}>
      {content}
    </Radix.Item>
  );
}

/** It is open when it mounts, because the press that loaded it was meant to open it. */
export function OpenMenu({ label, trigger, items, align = 'end' }: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align={align} sideOffset={4} collisionPadding={12} aria-label={label}>
          {items.map((item, index) =>
            item ? (
              <MenuItem key={item.label} item={item} />
            ) : (
              <Radix.Separator key={`after ${items[index - 1]?.label ?? 'nothing'}`} className="menu__line" />
            ),
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

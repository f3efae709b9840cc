// The menu of hydrated pages: a button that loads the menu itself when it is first pressed (open-menu.tsx). Pages
// without script use DetailsMenu of popover.tsx.
import { type ComponentType, cloneElement, type ReactElement, useState } from 'react';
import { Icon } from './icon.tsx';
import type { MenuProps, TriggerProps } from './open-menu.tsx';
import * as texts from './texts.ts';

export type { MenuAction } from './open-menu.tsx';

const createDotsButton = (label: string): ReactElement<TriggerProps> => (
  <button type="button" className="icon-btn" aria-label={label}>
    <Icon name="more" />
  </button>
);

const MISSING_MS = 6_000;
const loadOpenMenu = () => import('./open-menu.tsx');

/** Loads the menu before it is first pressed, for menus that must also open offline. */
export function preloadMenu(): void {
  loadOpenMenu().catch(() => undefined);
}

export function Menu({
  trigger: customTrigger,
  ...props
}: Omit<MenuProps, 'trigger'> & { trigger?: MenuProps['trigger'] | undefined }) {
  const [LoadedMenu, setLoadedMenu] = useState<ComponentType<MenuProps>>();
  const [isMissing, setMissing] = useState(false);
  const trigger = customTrigger ?? createDotsButton(props.label);
  if (LoadedMenu) return <LoadedMenu {...props} trigger={trigger} />;
  const open = () => {
    loadOpenMenu().then(
      ({ OpenMenu }) => setLoadedMenu(() => OpenMenu),
      () => {
        setMissing(true);
        setTimeout(setMissing, MISSING_MS, false);
      },
    );
  };
  const closedTrigger = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: open,
    onKeyDown: ({ key }) => {
      if (key === 'ArrowDown') open();
    },
  });
  return (
    <>
      {closedTrigger}
      {isMissing && (
        <p role="alert" className="missing">
          {texts.connectionError}
        </p>
      )}
    </>
  );
}

// The menu of hydrated pages: a button that loads the menu itself when it is first pressed (pressed-menu.tsx). Pages
// without script use DetailsMenu of popover.tsx.
import { type ComponentType, cloneElement, type ReactElement, useState } from 'react';
import { Icon } from './icon.tsx';
import type { MenuProps, TriggerProps } from './pressed-menu.tsx';

export type { MenuAction } from './pressed-menu.tsx';

const dots = (label: string): ReactElement<TriggerProps> => (
  <button type="button" className="icon-btn" aria-label={label}>
    <Icon name="more" />
  </button>
);

const MISSING_MS = 6_000;

export function Menu({
  trigger: own,
  ...props
}: Omit<MenuProps, 'trigger'> & { trigger?: MenuProps['trigger'] | undefined }) {
  const [Pressed, setPressed] = useState<ComponentType<MenuProps>>();
  const [isMissing, setMissing] = useState(false);
  const trigger = own ?? dots(props.label);
  if (Pressed) return <Pressed {...props} trigger={trigger} />;
  const open = () => {
    import('./pressed-menu.tsx').then(
      ({ PressedMenu }) => setPressed(() => PressedMenu),
      () => {
        setMissing(true);
        setTimeout(setMissing, MISSING_MS, false);
      },
    );
  };
  const waiting = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: open,
    onKeyDown: ({ key }) => {
      if (key === 'ArrowDown') open();
    },
  });
  return (
    <>
      {waiting}
      {isMissing && (
        <p role="alert" className="missing">
          No connection. Try again.
        </p>
      )}
    </>
  );
}

// A short name for an icon on hover and focus. The information must also be available elsewhere. For longer texts use
// Toggletip.
import './styles/overlays.css';
import * as Radix from 'radix-ui/tooltip';
import type { ReactNode } from 'react';

export function Tooltip({
  text,
  children,
  side = 'top',
}: {
  text: string;
  children: ReactNode;
  side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
}) {
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className="tip tip--small" side={side} sideOffset={6} collisionPadding={12}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}

/**
 * The menu item that blocks the creator of a post. Only fans see it because creators do not interact with each other.
 */
import { type MouseEvent, Suspense, useState } from 'react';
import { useViewer } from '../../../platform/session.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { BlockableUser } from './block-dialog.tsx';
import { LazyBlockDialog } from './lazy-block-dialog.ts';
import * as texts from './texts.ts';

export function BlockItem({ user, onBlocked }: { user: BlockableUser; onBlocked: () => void }) {
  const viewer = useViewer();
  const [isOpen, setOpen] = useState(false);
  if (viewer?.type !== 'customer') return null;
  const open = ({ currentTarget }: MouseEvent) => {
    currentTarget.closest('details')?.querySelector('summary')?.focus();
    setOpen(true);
  };
  return (
    <li>
      <button type="button" className="menu__item" onClick={open}>
        <Icon name="block" />
        {texts.blockButton}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <LazyBlockDialog
            user={user}
            onClose={(isBlocked) => {
              setOpen(false);
              if (isBlocked) onBlocked();
            }}
          />
        </Suspense>
      )}
    </li>
  );
}

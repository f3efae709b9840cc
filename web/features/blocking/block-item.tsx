/** Blocking a creator, as the item of a menu on their work. For fans: creators do not meet each other. */
import { type MouseEvent, Suspense, useState } from 'react';
import { useViewer } from '../../kernel/session.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Blockable } from './block-dialog.tsx';
import { LazyBlockDialog } from './lazy-block.ts';

export function BlockItem({ person, onBlocked }: { person: Blockable; onBlocked: () => void }) {
  const viewer = useViewer();
  const [isOpen, setOpen] = useState(false);
  if (viewer?.type !== 'customer') return null;
  // The menu closes over its item: the focus comes back to what opened the menu.
  const open = ({ currentTarget }: MouseEvent) => {
    currentTarget.closest('details')?.querySelector('summary')?.focus();
    setOpen(true);
  };
  return (
    <li>
      <button type="button" className="menu__item" onClick={open}>
        <Icon name="block" />
        Block
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <LazyBlockDialog
            person={person}
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

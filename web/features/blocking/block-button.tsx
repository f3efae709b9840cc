import { type ReactNode, Suspense, useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { Blockable } from './block-dialog.tsx';
import { LazyBlockDialog } from './lazy-block.ts';

type BlockProps = { person: Blockable; onBlocked: () => void };

function Asking({ person, onBlocked, children }: BlockProps & { children: (ask: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {children(() => setOpen(true))}
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
    </>
  );
}

export function BlockButton(props: BlockProps) {
  const label = `Block ${isolated(props.person.name)}`;
  return (
    <Asking {...props}>
      {(ask) => <IconButton quiet icon="block" label={label} aria-haspopup="dialog" onClick={ask} />}
    </Asking>
  );
}

export function BlockWords(props: BlockProps) {
  return (
    <Asking {...props}>
      {(ask) => (
        <Button variant="quiet" icon="block" aria-haspopup="dialog" onClick={ask}>
          Block
        </Button>
      )}
    </Asking>
  );
}

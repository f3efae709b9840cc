import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, Suspense, useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import type { BlockableUser } from './block-dialog.tsx';
import { LazyBlockDialog } from './lazy-block-dialog.ts';
import * as texts from './texts.ts';

type BlockButtonProps = { user: BlockableUser; onBlocked: () => void };

function WithBlockDialog({
  user,
  onBlocked,
  children,
}: BlockButtonProps & { children: (openDialog: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {children(() => setOpen(true))}
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
    </>
  );
}

export function BlockButton(props: BlockButtonProps) {
  const label = formatText(texts.blockUser, { name: isolateText(props.user.name) });
  return (
    <WithBlockDialog {...props}>
      {(openDialog) => <IconButton quiet icon="block" label={label} aria-haspopup="dialog" onClick={openDialog} />}
    </WithBlockDialog>
  );
}

export function BlockTextButton(props: BlockButtonProps) {
  return (
    <WithBlockDialog {...props}>
      {(openDialog) => (
        <Button variant="quiet" icon="block" aria-haspopup="dialog" onClick={openDialog}>
          {texts.blockButton}
        </Button>
      )}
    </WithBlockDialog>
  );
}

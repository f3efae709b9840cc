import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { runWhenIdle } from '../../../platform/idle.ts';
import { lazyPart } from '../../../platform/lazy-part.ts';

const loadDialogs = () => import('../../../ui/dialog.tsx');
const ConfirmDialogPart = lazyPart(async () => (await loadDialogs()).ConfirmDialog);
const DialogPart = lazyPart(async () => (await loadDialogs()).Dialog);
const loadDrawer = () => import('./thread/drawer.tsx');
const DrawerPart = lazyPart(async () => (await loadDrawer()).ConversationDrawer);

type LazyProps<Part extends React.ElementType> = React.ComponentProps<Part>;

function MountWhenOpened({ open, children }: { open: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  return wasOpen ? <Suspense fallback={null}>{children}</Suspense> : null;
}

export function LazyConfirmDialog(props: LazyProps<typeof ConfirmDialogPart>) {
  return (
    <MountWhenOpened open={props.open}>
      <ConfirmDialogPart {...props} />
    </MountWhenOpened>
  );
}

export function LazyDialog(props: LazyProps<typeof DialogPart>) {
  return (
    <MountWhenOpened open={props.open}>
      <DialogPart {...props} />
    </MountWhenOpened>
  );
}

export function LazyConversationDrawer(props: LazyProps<typeof DrawerPart>) {
  return (
    <MountWhenOpened open={props.open}>
      <DrawerPart {...props} />
    </MountWhenOpened>
  );
}

/** Preloads the dialogs so that they also open offline. If the preload fails, they load when they are opened. */
export function usePreloadDialogs(): void {
  useEffect(() => runWhenIdle(() => void Promise.all([loadDialogs(), loadDrawer()]).catch(() => undefined)), []);
}

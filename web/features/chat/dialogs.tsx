import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { whenIdle } from '../../kernel/idle.ts';
import { lazyPart } from '../../kernel/lazy-part.ts';

const bring = () => import('../../ui/dialog.tsx');
const LazyConfirmDialog = lazyPart(async () => (await bring()).ConfirmDialog);
const LazyDialog = lazyPart(async () => (await bring()).Dialog);
const bringDrawer = () => import('./thread/drawer.tsx');
const LazyDrawer = lazyPart(async () => (await bringDrawer()).ConversationDrawer);

type Props<Part extends React.ElementType> = React.ComponentProps<Part>;

function Later({ open, children }: { open: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(open);
  if (open && !wasOpen) setWasOpen(true);
  return wasOpen ? <Suspense fallback={null}>{children}</Suspense> : null;
}

export function ConfirmDialog(props: Props<typeof LazyConfirmDialog>) {
  return (
    <Later open={props.open}>
      <LazyConfirmDialog {...props} />
    </Later>
  );
}

export function Dialog(props: Props<typeof LazyDialog>) {
  return (
    <Later open={props.open}>
      <LazyDialog {...props} />
    </Later>
  );
}

export function ConversationDrawer(props: Props<typeof LazyDrawer>) {
  return (
    <Later open={props.open}>
      <LazyDrawer {...props} />
    </Later>
  );
}

/** Preloads the dialogs so that they also open offline. If the preload fails, they load when they are opened. */
export function useDialogsAhead(): void {
  useEffect(() => whenIdle(() => void Promise.all([bring(), bringDrawer()]).catch(() => undefined)), []);
}

// Dialogs of hydrated pages: a bottom sheet on phones, a panel from 700 px. Drawer opens at the right edge. SidePanel is for
// editors: a sheet on phones, 480 px at the right edge from 700 px, with a foot that stays in view.
// ConfirmDialog confirms payments and deletions.
import './styles/overlays.css';
import * as RadixDialog from 'radix-ui/dialog';
import { Activity, type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { useBackToClose } from './back-to-close.ts';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { useDialogSuspension } from './dialog-suspension.ts';
import { guardDoubleTap } from './double-tap-guard.ts';
import { Icon } from './icon.tsx';
import * as texts from './texts.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  step?: string | undefined;
  lead?: ReactNode;
  children: ReactNode;
  width?: 480 | 600 | undefined;
  /** While true, Escape, back and clicks outside do not close it. */
  locked?: boolean | undefined;
}

/** A press on a toast or on the bar of a running call does not close the dialog. */
const STAYS_OPEN_SELECTOR = '[data-sonner-toaster], .call-small';

type CustomProperties = CSSProperties & Record<`--${string}`, string>;

/**
 * Focuses the panel itself, so that screen readers read the title first. On close the focus returns to the previous
 * element, because Radix restores it only to its own trigger.
 */
function useFocus() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      const panel = event.currentTarget;
      if (!(panel instanceof HTMLElement)) return;
      event.preventDefault();
      opener.current = document.activeElement;
      (panel.querySelector<HTMLElement>('[data-autofocus]') ?? panel).focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const known = opener.current;
      const back = known?.isConnected && known !== document.body ? known : document.getElementById('main');
      if (back instanceof HTMLElement) back.focus({ preventScroll: true });
    },
  };
}

interface ShellProps extends DialogProps {
  className: string;
  inlineTitle: boolean;
}

function Panel({
  open,
  onOpenChange,
  title,
  step,
  lead,
  children,
  width = 480,
  locked,
  className,
  inlineTitle,
}: ShellProps) {
  const style: CustomProperties = { '--dialog': `${width}px` };
  const focus = useFocus();
  const isSuspended = useDialogSuspension(open);
  useBackToClose(open && !isSuspended && !locked, () => onOpenChange(false));
  // An opening or closing sheet changes what is under the finger, so the second tap of a double tap is ignored.
  useEffect(() => {
    if (!open) return;
    guardDoubleTap();
    return guardDoubleTap;
  }, [open]);
  const preventIfLocked = (event: Event) => {
    if (locked) event.preventDefault();
  };
  const preventIfOpenStays = (event: Event) => {
    if (locked || (event.target instanceof Element && event.target.closest(STAYS_OPEN_SELECTOR)))
      event.preventDefault();
  };
  const heading = (
    <RadixDialog.Title className={cx('display', inlineTitle ? 'd4' : 'd3', 'dialog__title')}>{title}</RadixDialog.Title>
  );
  return (
    <Activity mode={isSuspended ? 'hidden' : 'visible'}>
      <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
        <RadixDialog.Portal>
          <RadixDialog.Overlay className="scrim" />
          <RadixDialog.Content
            className={className}
            style={style}
            {...focus}
            onEscapeKeyDown={preventIfLocked}
            onPointerDownOutside={preventIfOpenStays}
            onInteractOutside={preventIfOpenStays}
            {...(lead === undefined && { 'aria-describedby': undefined })}
          >
            <div className="dialog__head">
              {inlineTitle ? heading : <span className="dialog__step">{step}</span>}
              <RadixDialog.Close className="icon-btn" aria-label={texts.close} disabled={locked}>
                <Icon name="close" />
              </RadixDialog.Close>
            </div>
            {!inlineTitle && heading}
            {lead !== undefined && <RadixDialog.Description className="dialog__lead">{lead}</RadixDialog.Description>}
            {children}
          </RadixDialog.Content>
        </RadixDialog.Portal>
      </RadixDialog.Root>
    </Activity>
  );
}

export function Dialog(props: DialogProps) {
  return <Panel {...props} className="dialog" inlineTitle={false} />;
}

export function Sheet(props: DialogProps) {
  return <Panel {...props} className="dialog" inlineTitle />;
}

export function Drawer(props: Omit<DialogProps, 'width' | 'step'>) {
  return <Panel {...props} className="drawer" inlineTitle />;
}

export function SidePanel({ children, ...props }: Omit<DialogProps, 'width' | 'lead'>) {
  return (
    <Panel {...props} className="dialog dialog--side" inlineTitle={false}>
      {children}
    </Panel>
  );
}

/** The result and the action of a {@link SidePanel}. It is the last element of its form. */
export function SidePanelFoot({ children }: { children: ReactNode }) {
  return <div className="side-foot">{children}</div>;
}

export interface ConfirmDialogProps extends Omit<DialogProps, 'children' | 'width' | 'step'> {
  confirmText: string;
  cancelText?: string | undefined;
  onConfirm: () => void;
  danger?: boolean | undefined;
  busy?: boolean | undefined;
  busyText?: string | undefined;
  children?: ReactNode;
}

export function ConfirmDialog({
  confirmText,
  cancelText = texts.cancel,
  onConfirm,
  danger,
  busy,
  busyText = texts.working,
  children,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog {...dialog} locked={busy || dialog.locked}>
      {children}
      <div className="dialog__acts">
        <Button
          variant={danger ? 'danger' : 'primary'}
          size="lg"
          wide
          busy={busy ?? false}
          busyText={busyText}
          onClick={onConfirm}
        >
          {confirmText}
        </Button>
        <Button variant="quiet" wide disabled={busy} onClick={() => dialog.onOpenChange(false)}>
          {cancelText}
        </Button>
      </div>
    </Dialog>
  );
}

export function LockNote({ children }: { children: ReactNode }) {
  return (
    <p className="note">
      <Icon name="lock" size={18} />
      <span>{children}</span>
    </p>
  );
}

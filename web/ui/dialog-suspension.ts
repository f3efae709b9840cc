/** Hides the dialogs of the page while a call covers it. They reappear with their content when the page does. */
import { useEffect, useState } from 'react';

type SetSuspended = (isSuspended: boolean) => void;
const openDialogs = new Set<SetSuspended>();

/** Popovers are in the browser's top layer, above everything else. They close, as with a press outside them. */
function closePopovers(): void {
  if (!('popover' in HTMLElement.prototype)) return;
  for (const popover of document.querySelectorAll<HTMLElement>(':popover-open'))
    if (popover.closest('[data-call]') === null) popover.hidePopover?.();
}

/** Hides the dialogs that are open now, but not those that open later. Returns the function that shows them again. */
export function suspendOpenDialogs(): () => void {
  const suspended = [...openDialogs];
  for (const setSuspended of suspended) setSuspended(true);
  closePopovers();
  return () => {
    for (const setSuspended of suspended) setSuspended(false);
  };
}

/** Registers a dialog while it is open. Returns whether it is hidden now. */
export function useDialogSuspension(isOpen: boolean): boolean {
  const [isSuspended, setSuspended] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    openDialogs.add(setSuspended);
    return () => void openDialogs.delete(setSuspended);
  }, [isOpen]);
  return isOpen && isSuspended;
}

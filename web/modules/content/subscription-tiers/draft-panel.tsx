import { type FormEvent, type ReactNode, useState } from 'react';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { ConfirmDialog, SidePanel } from '../../../ui/dialog.tsx';
import * as texts from './texts.ts';

type DraftPanelProps = {
  title: string;
  step?: string | undefined;
  isDirty: boolean;
  isSaving: boolean;
  /** What is lost, for the confirmation. */
  discardLead: string;
  onClose: () => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
  /** Dialogs of the panel. They are outside of its form. */
  dialogs?: ReactNode;
};

/** A side panel with a form. Closing it with unsaved changes requires a confirmation. */
export function DraftPanel(props: DraftPanelProps) {
  const { title, step, isDirty, isSaving, discardLead, onClose, onSubmit, children, dialogs } = props;
  const [isConfirming, setIsConfirming] = useState(false);
  useUnsavedChanges(isDirty, isSaving);
  return (
    <SidePanel
      open
      onOpenChange={(isOpen) => {
        if (isOpen || isSaving) return;
        if (isDirty) setIsConfirming(true);
        else onClose();
      }}
      step={step}
      title={title}
    >
      <form noValidate onSubmit={onSubmit}>
        {children}
      </form>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={texts.discardTitle}
        lead={discardLead}
        confirmText={texts.discard}
        cancelText={texts.keepEditing}
        danger
        onConfirm={onClose}
      />
      {dialogs}
    </SidePanel>
  );
}

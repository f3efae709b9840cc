import { ConfirmDialog } from '../../../ui/dialog.tsx';
import * as texts from './texts.ts';

export function TakeDownDialog(props: {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  busy: boolean;
  onConfirm: () => void;
}) {
  return (
    <ConfirmDialog
      {...props}
      title={texts.deletePostQuestion}
      lead={texts.deletePostConsequence}
      confirmText="Delete"
      danger
    />
  );
}

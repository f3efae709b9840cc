import { ConfirmDialog } from '../../ui/dialog.tsx';

export function TakeDownDialog(props: {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  busy: boolean;
  onConfirm: () => void;
}) {
  return (
    <ConfirmDialog
      {...props}
      title="Take this post down?"
      lead="It leaves your profile and every feed. Fans who bought it keep it."
      confirmText="Take it down"
      danger
    />
  );
}

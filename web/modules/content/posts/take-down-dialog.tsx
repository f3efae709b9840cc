import { ConfirmDialog } from '../../../ui/dialog.tsx';

export function TakeDownDialog(props: {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  busy: boolean;
  onConfirm: () => void;
}) {
  return (
    <ConfirmDialog
      {...props}
      title="Delete this post?"
      lead="It’s removed from your profile and all feeds. Fans who unlocked it keep it."
      confirmText="Delete"
      danger
    />
  );
}

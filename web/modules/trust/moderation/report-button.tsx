import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, Suspense, useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { LazyReportDialog } from './lazy-report.ts';
import * as texts from './texts.ts';

type ReportButtonProps = { user: { id: string; name: string } };

function WithReportDialog({
  user,
  children,
}: ReportButtonProps & { children: (label: string, openDialog: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {children(formatText(texts.reportUser, { name: isolateText(user.name) }), () => setOpen(true))}
      {isOpen && (
        <Suspense fallback={null}>
          <LazyReportDialog
            target={{ userId: user.id, type: 'profile', typeId: user.id }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

export function ReportButton({ user }: ReportButtonProps) {
  return (
    <WithReportDialog user={user}>
      {(label, openDialog) => (
        <IconButton quiet icon="warning" label={label} aria-haspopup="dialog" onClick={openDialog} />
      )}
    </WithReportDialog>
  );
}

export function ReportTextButton({ user }: ReportButtonProps) {
  return (
    <WithReportDialog user={user}>
      {(label, openDialog) => (
        <Button icon="warning" aria-haspopup="dialog" onClick={openDialog}>
          {label}
        </Button>
      )}
    </WithReportDialog>
  );
}

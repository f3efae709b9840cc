/** The button that reports what it stands beside. Where there is no script it leads to the form that needs no account. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { useViewer } from '../../kernel/session.ts';
import { IconButton } from '../../ui/button.tsx';
import type { ReportTarget } from './report-dialog.tsx';

export type { ReportTarget } from './report-dialog.tsx';

/** Its code comes when it is opened. */
export const LazyReportDialog = lazyPart(async () => (await import('./report-dialog.tsx')).ReportDialog);

/** `path`: where it stands, for who has no account. One's own is not reported. */
export function ReportButton({ target, path, label }: { target: ReportTarget; path: string; label: string }) {
  const viewer = useViewer();
  const [isOpen, setOpen] = useState(false);
  if (viewer?.id === target.userId) return null;
  if (!viewer)
    return <IconButton icon="warning" label={label} href={`${PATHS.complaints}?where=${encodeURIComponent(path)}`} />;
  return (
    <>
      <IconButton icon="warning" label={label} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense fallback={null}>
          <LazyReportDialog target={target} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

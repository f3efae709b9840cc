/** The item of a menu that reports what the menu is of. Where there is no script it leads to the form that needs no account. */
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { type MouseEvent, Suspense, useState } from 'react';
import { useViewer } from '../../kernel/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { LazyReportDialog } from './lazy-report.ts';
import type { ReportTarget } from './report-dialog.tsx';

/** `path`: where it is, for who has no account. One's own is not reported. */
export function ReportItem({ target, path, label }: { target: ReportTarget; path: string; label: string }) {
  const viewer = useViewer();
  const [isOpen, setOpen] = useState(false);
  if (viewer?.id === target.userId) return null;
  // The menu closes over its item: the focus comes back to what opened the menu.
  const open = ({ currentTarget }: MouseEvent) => {
    currentTarget.closest('details')?.querySelector('summary')?.focus();
    setOpen(true);
  };
  const words = (
    <>
      <Icon name="warning" />
      {label}
    </>
  );
  return (
    <>
      <li className="menu__line" aria-hidden="true" />
      <li>
        {viewer ? (
          <button type="button" className="menu__item" onClick={open}>
            {words}
          </button>
        ) : (
          <a className="menu__item" href={`${CASE_PATHS.complaints}?where=${encodeURIComponent(path)}`}>
            {words}
          </a>
        )}
        {isOpen && (
          <Suspense fallback={null}>
            <LazyReportDialog target={target} onClose={() => setOpen(false)} />
          </Suspense>
        )}
      </li>
    </>
  );
}

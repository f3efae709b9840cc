/** The menu item that reports the content of the menu. Without script it links to the form that needs no account. */
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { type MouseEvent, Suspense, useState } from 'react';
import { useViewer } from '../../../platform/session.ts';
import { Icon } from '../../../ui/icon.tsx';
import { LazyReportDialog } from './lazy-report.ts';
import type { ReportTarget } from './report-dialog.tsx';

/**
 * Users cannot report their own content.
 * @param path The address of the content, for visitors.
 */
export function ReportItem({ target, path, label }: { target: ReportTarget; path: string; label: string }) {
  const viewer = useViewer();
  const [isOpen, setOpen] = useState(false);
  if (viewer?.id === target.userId) return null;
  const open = ({ currentTarget }: MouseEvent) => {
    currentTarget.closest('details')?.querySelector('summary')?.focus();
    setOpen(true);
  };
  const content = (
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
            {content}
          </button>
        ) : (
          <a className="menu__item" href={`${CASE_PATHS.complaints}?where=${encodeURIComponent(path)}`}>
            {content}
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

import { canOperatorCall } from '@stagedoor/contract/admin/operator-rights.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import './console.css';
import { useRoles } from '../../../platform/operator.ts';
import { CountBadge } from '../../../ui/label.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { ADMIN_NAV_GROUPS, findNavEntry, workQueueQuery } from './nav-entries.ts';
import * as texts from './texts.ts';

export function AdminNav({ pathname }: { pathname: string }) {
  const navRef = useRef<HTMLElement>(null);
  const queueCounts = useQuery(workQueueQuery()).data?.data ?? [];
  const roles = useRoles();
  const current = findNavEntry(pathname)?.href;
  useEffect(() => {
    const link = navRef.current?.querySelector<HTMLElement>(`[href="${current}"]`);
    if (!link || !navRef.current) return;
    navRef.current.scrollLeft = link.offsetLeft - navRef.current.clientWidth / 2 + link.clientWidth / 2;
    navRef.current.scrollTop = link.offsetTop - navRef.current.clientHeight / 2;
  }, [current]);
  return (
    <nav
      ref={navRef}
      className="desk-nav"
      aria-label={texts.consoleTitle}
      data-below={pathname === current ? undefined : ''}
    >
      {ADMIN_NAV_GROUPS.map(({ head, entries }) => {
        const visibleEntries = entries.filter(({ route }) => canOperatorCall(roles, route));
        if (visibleEntries.length === 0) return null;
        return (
          <div key={visibleEntries[0]?.href}>
            {head !== undefined && <p aria-hidden="true">{head}</p>}
            <ul aria-label={head}>
              {visibleEntries.map(({ href, label, counts = [] }) => (
                <li key={href}>
                  <UiLink href={href} aria-current={href === current ? 'page' : undefined}>
                    <span>{label}</span>
                    <CountBadge
                      value={queueCounts.reduce((sum, { kind, count }) => sum + (counts.includes(kind) ? count : 0), 0)}
                      max={999}
                      label={texts.waitingBadge}
                    />
                  </UiLink>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

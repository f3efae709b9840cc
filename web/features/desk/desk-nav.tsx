/** The desk's own navigation: a column beside its pages, on a phone a row of words above them; each with how much waits there. */
import { operatorMayCall } from '@stagedoor/contract/operator-rights.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import './desk.css';
import { useRoles } from '../../kernel/operator.ts';
import { Count } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { DESK_ENTRIES, deskQuery, entryOf } from './entries.ts';

export function DeskNav({ pathname }: { pathname: string }) {
  const row = useRef<HTMLElement>(null);
  const waiting = useQuery(deskQuery()).data?.data ?? [];
  const roles = useRoles();
  const current = entryOf(pathname)?.href;
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>(`[href="${current}"]`);
    if (link && row.current)
      row.current.scrollLeft = link.offsetLeft - row.current.clientWidth / 2 + link.clientWidth / 2;
  }, [current]);
  return (
    <nav ref={row} className="desk-nav" aria-label="Desk" data-below={pathname === current ? undefined : ''}>
      <ul>
        {DESK_ENTRIES.filter(({ reads }) => operatorMayCall(roles, reads)).map(({ href, label, counts = [] }) => (
          <li key={href}>
            <UiLink href={href} aria-current={href === current ? 'page' : undefined}>
              <span>{label}</span>
              <Count
                value={waiting.reduce((sum, { kind, count }) => sum + (counts.includes(kind) ? count : 0), 0)}
                max={999}
                label="wait"
              />
            </UiLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

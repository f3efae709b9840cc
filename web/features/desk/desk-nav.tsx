import { operatorMayCall } from '@stagedoor/contract/operator-rights.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import './desk.css';
import { useRoles } from '../../kernel/operator.ts';
import { Count } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { DESK_GROUPS, deskQuery, entryOf } from './entries.ts';

export function DeskNav({ pathname }: { pathname: string }) {
  const row = useRef<HTMLElement>(null);
  const waiting = useQuery(deskQuery()).data?.data ?? [];
  const roles = useRoles();
  const current = entryOf(pathname)?.href;
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>(`[href="${current}"]`);
    if (!link || !row.current) return;
    row.current.scrollLeft = link.offsetLeft - row.current.clientWidth / 2 + link.clientWidth / 2;
    row.current.scrollTop = link.offsetTop - row.current.clientHeight / 2;
  }, [current]);
  return (
    <nav ref={row} className="desk-nav" aria-label="Console" data-below={pathname === current ? undefined : ''}>
      {DESK_GROUPS.map(({ head, entries }) => {
        const mine = entries.filter(({ reads }) => operatorMayCall(roles, reads));
        if (mine.length === 0) return null;
        return (
          <div key={mine[0]?.href}>
            {head !== undefined && <p aria-hidden="true">{head}</p>}
            <ul aria-label={head}>
              {mine.map(({ href, label, counts = [] }) => (
                <li key={href}>
                  <UiLink href={href} aria-current={href === current ? 'page' : undefined}>
                    <span>{label}</span>
                    <Count
                      value={waiting.reduce((sum, { kind, count }) => sum + (counts.includes(kind) ? count : 0), 0)}
                      max={999}
                      label="waiting"
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

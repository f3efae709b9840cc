import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import type { LiveState } from '@stagedoor/contract/state-desk.ts';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../kernel/dates.ts';
import { Lamp } from '../../../ui/avatar.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { type Glance, glance, glanceQuery } from './queries.ts';

/** `alarms`: ledger alarms. Undefined for operators who may not see them. */
export function StateStrip({ alarms }: { alarms: number | undefined }) {
  const state: LiveState | undefined = useQuery(glanceQuery()).data;
  if (!state) return null;
  const cells: (Glance & { href: string })[] = glance(state).map((cell) => ({ ...cell, href: DESK_PATHS.adminState }));
  if (alarms !== undefined)
    cells.push({
      ...{ name: 'Ledger', words: alarms === 0 ? 'No alerts' : plural(alarms, 'alert'), isWell: alarms === 0 },
      href: DESK_PATHS.adminAlarms,
    });
  return (
    <nav className="state-strip" aria-label="System status">
      {cells.map(({ name, words, isWell, href }) => (
        <UiLink key={name} href={href}>
          <Lamp state={isWell ? 'on' : 'danger'}>{name}</Lamp>
          <span>{words}</span>
        </UiLink>
      ))}
    </nav>
  );
}

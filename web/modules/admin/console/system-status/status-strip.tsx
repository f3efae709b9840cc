import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import type { SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../../../platform/dates.ts';
import { StatusDot } from '../../../../ui/avatar.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { type StatusSummaryItem, statusSummaryQuery, summarizeStatus } from './queries.ts';
import * as texts from './texts.ts';

/** `alarms`: ledger alarms. Undefined for operators who may not see them. */
export function StatusStrip({ alarms }: { alarms: number | undefined }) {
  const systemStatus: SystemStatus | undefined = useQuery(statusSummaryQuery()).data;
  if (!systemStatus) return null;
  const cells: (StatusSummaryItem & { href: string })[] = summarizeStatus(systemStatus).map((cell) => ({
    ...cell,
    href: ADMIN_PATHS.adminSystem,
  }));
  if (alarms !== undefined)
    cells.push({
      ...{
        name: 'Ledger',
        text: alarms === 0 ? texts.noAlerts : formatCount(alarms, 'alert'),
        isHealthy: alarms === 0,
      },
      href: ADMIN_PATHS.adminAlarms,
    });
  return (
    <nav className="state-strip" aria-label={texts.systemStatus}>
      {cells.map(({ name, text, isHealthy, href }) => (
        <UiLink key={name} href={href}>
          <StatusDot state={isHealthy ? 'on' : 'danger'}>{name}</StatusDot>
          <span>{text}</span>
        </UiLink>
      ))}
    </nav>
  );
}

import { type AdminAnnouncement, endAnnouncement, listAnnouncements } from '@stagedoor/contract/admin/announcements.ts';
import { formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { StatusDot } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { ANNOUNCEMENT_STATE_LABELS, AUDIENCE_LABELS, LEVEL_LABELS } from './announcement-labels.ts';

function EndAnnouncementButton({ id }: { id: string }) {
  const action = useAdminAction(endAnnouncement, {
    invalidates: [listAnnouncements],
    successMessage: () => 'Announcement ended. It disappears within seconds.',
  });
  if (!action.isAllowed) return null;
  return (
    <div className="grid justify-items-start gap-3 pt-5">
      {action.error !== undefined && <InlineError message={action.error} />}
      <Button busy={action.isPending} busyText="Ending…" onClick={() => action.send({ params: { id } })}>
        End now
      </Button>
    </div>
  );
}

/** `now` is an ISO timestamp. */
export function AnnouncementRows({ announcements, now }: { announcements: readonly AdminAnnouncement[]; now: string }) {
  return (
    <ul className="lines" aria-label="Announcements">
      {announcements.map((announcement) => (
        <li key={announcement.id}>
          <details className="entry">
            <summary>
              <Glyph icon={announcement.level === 'important' ? 'warning' : 'info'} />
              <span className="min-w-0">
                <bdi className="row__title">{announcement.title}</bdi>
                <span className="row__sub">
                  {AUDIENCE_LABELS[announcement.audience]}, until{' '}
                  {formatDayTime(announcement.endedAt ?? announcement.until, now)}
                </span>
              </span>
              <span className="row__end">
                {announcement.state === 'on' ? (
                  <StatusDot>{ANNOUNCEMENT_STATE_LABELS.on}</StatusDot>
                ) : (
                  <span className="text-muted">{ANNOUNCEMENT_STATE_LABELS[announcement.state]}</span>
                )}
              </span>
              <Icon name="chevron-down" size={18} />
            </summary>
            <div className="journal">
              {announcement.text !== '' && (
                <p className="pb-3 wrap-anywhere">
                  <bdi>{announcement.text}</bdi>
                </p>
              )}
              <DefinitionList
                items={[
                  { name: 'For', value: AUDIENCE_LABELS[announcement.audience] },
                  { name: 'Importance', value: LEVEL_LABELS[announcement.level] },
                  { name: 'From', value: formatExactTime(announcement.from) },
                  { name: 'Until', value: formatExactTime(announcement.until) },
                  { name: 'Dismissible', value: announcement.isDismissable ? 'Yes' : 'No' },
                  {
                    name: 'Created',
                    value: `${formatExactTime(announcement.writtenAt)} by @${announcement.author.username}`,
                  },
                  ...(announcement.endedAt === null
                    ? []
                    : [{ name: 'Ended early', value: formatExactTime(announcement.endedAt) }]),
                ]}
              />
              {announcement.state !== 'over' && <EndAnnouncementButton id={announcement.id} />}
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

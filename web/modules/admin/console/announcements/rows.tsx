import { type AdminAnnouncement, endAnnouncement, listAnnouncements } from '@stagedoor/contract/admin/announcements.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { LinkedText } from '../../../../platform/linked-text.tsx';
import { StatusDot } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { ANNOUNCEMENT_STATE_LABELS, AUDIENCE_LABELS, LEVEL_LABELS } from './announcement-labels.ts';
import * as texts from './texts.ts';

function EndAnnouncementButton({ id }: { id: string }) {
  const action = useAdminAction(endAnnouncement, {
    invalidates: [listAnnouncements],
    successMessage: () => texts.announcementEnded,
  });
  if (!action.isAllowed) return null;
  return (
    <div className="grid justify-items-start gap-3 pt-5">
      {action.error !== undefined && <InlineError message={action.error} />}
      <Button busy={action.isPending} busyText={texts.ending} onClick={() => action.send({ params: { id } })}>
        {texts.endNow}
      </Button>
    </div>
  );
}

/** `now` is an ISO timestamp. */
export function AnnouncementRows({ announcements, now }: { announcements: readonly AdminAnnouncement[]; now: string }) {
  return (
    <ul className="lines" aria-label={texts.announcements}>
      {announcements.map((announcement) => (
        <li key={announcement.id}>
          <details className="entry">
            <summary>
              <Glyph icon={announcement.level === 'important' ? 'warning' : 'info'} />
              <span className="min-w-0">
                <bdi className="row__title">{announcement.title}</bdi>
                <span className="row__sub">
                  {formatText(texts.audienceUntil, {
                    audience: AUDIENCE_LABELS[announcement.audience],
                    endedAt: formatDayTime(announcement.endedAt ?? announcement.until, now),
                  })}
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
                  <bdi>
                    <LinkedText text={announcement.text} />
                  </bdi>
                </p>
              )}
              <DefinitionList
                items={[
                  { name: texts.audienceLabel, value: AUDIENCE_LABELS[announcement.audience] },
                  { name: texts.importance, value: LEVEL_LABELS[announcement.level] },
                  { name: texts.startTime, value: formatExactTime(announcement.from) },
                  { name: texts.endTime, value: formatExactTime(announcement.until) },
                  { name: texts.dismissible, value: announcement.isDismissable ? 'Yes' : 'No' },
                  {
                    name: texts.created,
                    value: `${formatExactTime(announcement.writtenAt)} by @${announcement.author.username}`,
                  },
                  ...(announcement.endedAt === null
                    ? []
                    : [{ name: texts.endedEarly, value: formatExactTime(announcement.endedAt) }]),
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

import { type DeskAnnouncement, endAnnouncement, listAnnouncements } from '@stagedoor/contract/announcements-desk.ts';
import { formatDayTime, formatExact } from '../../../kernel/dates.ts';
import { Lamp } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import { useDeskAct } from '../acts.ts';
import { AUDIENCE_WORDS, LEVEL_WORDS, STATE_WORDS } from './words.ts';

function End({ id }: { id: string }) {
  const act = useDeskAct(endAnnouncement, {
    forget: [listAnnouncements],
    done: () => 'Announcement ended. It disappears within seconds.',
  });
  if (!act.may) return null;
  return (
    <div className="grid justify-items-start gap-3 pt-5">
      {act.error !== undefined && <Refusal message={act.error} />}
      <Button busy={act.isPending} busyText="Ending…" onClick={() => act.send({ params: { id } })}>
        End now
      </Button>
    </div>
  );
}

/** `now` is an ISO timestamp. */
export function AnnouncementRows({ announcements, now }: { announcements: readonly DeskAnnouncement[]; now: string }) {
  return (
    <ul className="lines" aria-label="Announcements">
      {announcements.map((one) => (
        <li key={one.id}>
          <details className="entry">
            <summary>
              <Glyph icon={one.level === 'important' ? 'warning' : 'info'} />
              <span className="min-w-0">
                <bdi className="row__title">{one.title}</bdi>
                <span className="row__sub">
                  {AUDIENCE_WORDS[one.audience]}, until {formatDayTime(one.endedAt ?? one.until, now)}
                </span>
              </span>
              <span className="row__end">
                {one.state === 'on' ? (
                  <Lamp>{STATE_WORDS.on}</Lamp>
                ) : (
                  <span className="text-muted">{STATE_WORDS[one.state]}</span>
                )}
              </span>
              <Icon name="chevron-down" size={18} />
            </summary>
            <div className="journal">
              {one.text !== '' && (
                <p className="pb-3 wrap-anywhere">
                  <bdi>{one.text}</bdi>
                </p>
              )}
              <FactList
                facts={[
                  { name: 'For', value: AUDIENCE_WORDS[one.audience] },
                  { name: 'Importance', value: LEVEL_WORDS[one.level] },
                  { name: 'From', value: formatExact(one.from) },
                  { name: 'Until', value: formatExact(one.until) },
                  { name: 'Dismissible', value: one.isDismissable ? 'Yes' : 'No' },
                  { name: 'Created', value: `${formatExact(one.writtenAt)} by @${one.author.username}` },
                  ...(one.endedAt === null ? [] : [{ name: 'Ended early', value: formatExact(one.endedAt) }]),
                ]}
              />
              {one.state !== 'over' && <End id={one.id} />}
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

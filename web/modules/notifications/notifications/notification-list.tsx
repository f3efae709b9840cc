import type { NotificationGroup } from '@stagedoor/contract/notifications/notifications.ts';
import { useQueryClient } from '@tanstack/react-query';
import { formatCount, formatDay, formatTime, toDayKey } from '../../../platform/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Glyph } from '../../../ui/rows.tsx';
import './notifications.css';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { markGroupRead } from './queries.ts';
import * as texts from './texts.ts';

/** Groups notifications by day and keeps their order. `now` is an ISO timestamp. */
export function groupByDay(groups: readonly NotificationGroup[], now: string): [string, NotificationGroup[]][] {
  const days = new Map<string, NotificationGroup[]>();
  for (const group of groups) {
    const day = toDayKey(group.at);
    days.set(day, [...(days.get(day) ?? []), group]);
  }
  return [...days.values()].map((dayGroups) => [formatDay(dayGroups[0]?.at ?? now, now), dayGroups]);
}

function GroupAvatars({ users, icon }: Pick<NotificationGroup, 'users' | 'icon'>) {
  const [first, second] = users;
  if (!first) return <Glyph icon={icon} />;
  if (!second) return <Avatar name={first.name} src={first.avatarUrl} />;
  return (
    <span className="alert-pair">
      {[first, second].map(({ name, avatarUrl }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two of them, whose names may be the same
        <Avatar key={index} name={name} src={avatarUrl} size="s" />
      ))}
    </span>
  );
}

function UserNames({ users, userCount }: Pick<NotificationGroup, 'users' | 'userCount'>) {
  const [first, second] = users;
  if (!first) return null;
  const name = (userName: string) => (
    <b>
      <bdi>{userName}</bdi>
    </b>
  );
  if (userCount === 2 && second)
    return <>{formatNodes(texts.twoNames, { firstName: name(first.name), secondName: name(second.name) })} </>;
  return (
    <>
      {name(first.name)}
      {userCount > 1 && formatText(texts.andOthers, { otherCount: formatCount(userCount - 1, 'other') })}{' '}
    </>
  );
}

function NotificationRow({ group }: { group: NotificationGroup }) {
  const client = useQueryClient();
  const { text, detail, href, at, isUnread, ...userProps } = group;
  return (
    <li className="alert" data-new={isUnread ? '' : undefined}>
      <GroupAvatars {...userProps} />
      <div className="min-w-0">
        <UiLink
          href={href}
          className="row__link alert__words"
          onClick={() => void (isUnread && markGroupRead(client, group).catch(() => undefined))}
        >
          <UserNames {...userProps} />
          <bdi>{text}</bdi>
          {isUnread && <span className="sr-only">{texts.unreadSuffix}</span>}
        </UiLink>
        {detail && (
          <span className="alert__detail" dir="auto">
            {detail}
          </span>
        )}
      </div>
      <time className="alert__when num" dateTime={at}>
        {formatTime(at)}
      </time>
    </li>
  );
}

export function NotificationDays({ groups, now }: { groups: readonly NotificationGroup[]; now: string }) {
  return groupByDay(groups, now).map(([day, dayGroups]) => (
    <section key={day} aria-label={day}>
      <h2 className="alert-day">{day}</h2>
      <ul>
        {dayGroups.map((group) => (
          <NotificationRow key={group.id} group={group} />
        ))}
      </ul>
    </section>
  ));
}

import type { NotificationLine } from '@stagedoor/contract/notifications.ts';
import { useQueryClient } from '@tanstack/react-query';
import { formatDay, plural } from '../../kernel/dates.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Glyph } from '../../ui/rows.tsx';
import './notifications.css';
import { readLine } from './queries.ts';

/** Returns the UTC time of an ISO timestamp. All times are shown in UTC. */
const timeOf = (iso: string) => iso.slice(11, 16);

/** Groups notifications by day and keeps their order. `now` is an ISO timestamp. */
export function daysOf(lines: readonly NotificationLine[], now: string): [string, NotificationLine[]][] {
  const days = new Map<string, NotificationLine[]>();
  for (const line of lines) {
    const day = line.at.slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  return [...days.values()].map((of) => [formatDay(of[0]?.at ?? now, now), of]);
}

function Faces({ people, icon }: Pick<NotificationLine, 'people' | 'icon'>) {
  const [first, second] = people;
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

function Names({ people, peopleCount }: Pick<NotificationLine, 'people' | 'peopleCount'>) {
  const [first, second] = people;
  if (!first) return null;
  const name = (of: string) => (
    <b>
      <bdi>{of}</bdi>
    </b>
  );
  if (peopleCount === 2 && second)
    return (
      <>
        {name(first.name)} and {name(second.name)}{' '}
      </>
    );
  return (
    <>
      {name(first.name)}
      {peopleCount > 1 && ` and ${plural(peopleCount - 1, 'other')}`}{' '}
    </>
  );
}

function Line({ line }: { line: NotificationLine }) {
  const client = useQueryClient();
  const { text, detail, href, at, isUnread, ...who } = line;
  return (
    <li className="alert" data-new={isUnread ? '' : undefined}>
      <Faces {...who} />
      <div className="min-w-0">
        <UiLink
          href={href}
          className="row__link alert__words"
          onClick={() => void (isUnread && readLine(client, line).catch(() => undefined))}
        >
          <Names {...who} />
          <bdi>{text}</bdi>
          {isUnread && <span className="sr-only">. Unread</span>}
        </UiLink>
        {detail && (
          <span className="alert__detail" dir="auto">
            {detail}
          </span>
        )}
      </div>
      <time className="alert__when num" dateTime={at}>
        {timeOf(at)}
      </time>
    </li>
  );
}

export function NotificationDays({ lines, now }: { lines: readonly NotificationLine[]; now: string }) {
  return daysOf(lines, now).map(([day, of]) => (
    <section key={day} aria-label={day}>
      <h2 className="alert-day">{day}</h2>
      <ul>
        {of.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
    </section>
  ));
}

import { closedActivityWords, dayWords } from '@stagedoor/contract/atoms/activities.ts';
import { casePath } from '@stagedoor/contract/case-addresses.ts';
import type { CaseDecision, CaseView } from '@stagedoor/contract/cases-desk.ts';
import { personDeskPath } from '@stagedoor/contract/desk-addresses.ts';
import { formatExact, plural } from '../../../kernel/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { OpenPersonCase } from './open.tsx';
import { ACT_WORDS } from './words.ts';

type Standing = NonNullable<CaseView['about']>;

function standingOf({ isBlocked, blockedUntil, limits }: Standing): string {
  if (isBlocked) return blockedUntil === null ? 'Banned' : `Suspended until ${dayWords(blockedUntil)}`;
  if (limits.length === 0) return 'Active';
  return limits.map(({ activity, until }) => closedActivityWords(activity, until)).join(' ');
}

/** `seenIn`: the current case. With it, another case about the user can be opened. */
export function PersonOfCase({ person, as, seenIn }: { person: Standing; as: string; seenIn?: CaseView['id'] }) {
  const { id, name, username, avatarUrl, type, since } = person;
  return (
    <div className="min-w-0">
      <div className="flex items-center gap-3 pb-2">
        <Avatar name={name} src={avatarUrl} />
        <div className="min-w-0">
          {type === 'operator' ? (
            <bdi className="one-line block font-semibold">{name}</bdi>
          ) : (
            <UiLink href={personDeskPath(id)} className="one-line block font-semibold underline underline-offset-4">
              <bdi>{name}</bdi>
            </UiLink>
          )}
          <span className="one-line block text-small text-muted">
            {as} · @{username}
          </span>
        </div>
      </div>
      <FactList
        strong
        facts={[
          { name: 'Account', value: type === 'customer' ? 'Fan' : type === 'creator' ? 'Creator' : 'Staff' },
          { name: 'Joined', value: dayWords(since) },
          { name: 'Status', value: standingOf(person) },
          { name: 'Violations', value: `${person.upheld} of ${plural(person.cases, 'case')}` },
          { name: 'Accurate reports', value: `${person.foundRight} of ${person.reports}` },
        ]}
      />
      {seenIn !== undefined && type !== 'operator' && <OpenPersonCase id={id} seenIn={seenIn} />}
    </div>
  );
}

export function DecisionLines({
  decisions,
  label,
  here,
  act,
}: {
  decisions: readonly CaseDecision[];
  label: string;
  here: string;
  act?: (decision: CaseDecision) => React.ReactNode;
}) {
  return (
    <ul className="lines" aria-label={label}>
      {decisions.map((decision) => (
        <li key={decision.id} className="grid gap-1 py-3 text-small">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">
              {ACT_WORDS[decision.act].done}
              {decision.until !== null && ` until ${dayWords(decision.until)}`}
              {decision.undoneAt !== null && ', reversed'}
            </span>
            <span className="text-muted num">{formatExact(decision.at)}</span>
          </p>
          <p className="wrap-anywhere">
            “<bdi>{decision.ground}</bdi>”
          </p>
          <p className="text-muted">
            {decision.operator === null
              ? decision.act === 'restore'
                ? 'Automatic'
                : 'Via CLI'
              : `By @${decision.operator}`}
            {decision.caseId !== here && (
              <>
                {', '}
                <UiLink href={casePath(decision.caseId)} className="underline underline-offset-4 num">
                  {decision.reference}
                </UiLink>
              </>
            )}
          </p>
          {act?.(decision)}
        </li>
      ))}
    </ul>
  );
}

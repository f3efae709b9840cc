import { adminUserPath } from '@stagedoor/contract/admin/addresses.ts';
import type { CaseDecision, CaseView } from '@stagedoor/contract/admin/cases.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatLongDay, formatRestriction } from '@stagedoor/contract/shared/restrictions.ts';
import { casePath } from '@stagedoor/contract/trust/case-addresses.ts';
import { formatCount, formatExactTime } from '../../../../platform/dates.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { CASE_ACTION_TEXTS } from './case-labels.ts';
import { OpenUserCaseForm } from './open-case.tsx';
import * as texts from './texts.ts';

type CaseUserView = NonNullable<CaseView['about']>;

function formatUserStatus({ isBlocked, blockedUntil, restrictions }: CaseUserView): string {
  if (isBlocked)
    return blockedUntil === null
      ? texts.banned
      : formatText(texts.suspendedUntil, { blockedUntil: formatLongDay(blockedUntil) });
  if (restrictions.length === 0) return texts.active;
  return restrictions.map(({ activity, until }) => formatRestriction(activity, until)).join(' ');
}

/** `sourceCaseId`: the current case. With it, another case about the user can be opened. */
export function CaseUserCard({
  user,
  relation,
  sourceCaseId,
}: {
  user: CaseUserView;
  relation: string;
  sourceCaseId?: CaseView['id'];
}) {
  const { id, name, username, avatarUrl, type, since } = user;
  return (
    <div className="min-w-0">
      <div className="flex items-center gap-3 pb-2">
        <Avatar name={name} src={avatarUrl} />
        <div className="min-w-0">
          {type === 'operator' ? (
            <bdi className="one-line block font-semibold">{name}</bdi>
          ) : (
            <UiLink href={adminUserPath(id)} className="one-line block font-semibold underline underline-offset-4">
              <bdi>{name}</bdi>
            </UiLink>
          )}
          <span className="one-line block text-small text-muted">
            {relation} · @{username}
          </span>
        </div>
      </div>
      <DefinitionList
        strong
        items={[
          { name: 'Account', value: type === 'customer' ? 'Fan' : type === 'creator' ? 'Creator' : 'Staff' },
          { name: 'Joined', value: formatLongDay(since) },
          { name: 'Status', value: formatUserStatus(user) },
          { name: 'Violations', value: `${user.upheldCases} of ${formatCount(user.cases, 'case')}` },
          { name: texts.accurateReports, value: `${user.upheldReports} of ${user.reports}` },
        ]}
      />
      {sourceCaseId !== undefined && type !== 'operator' && <OpenUserCaseForm id={id} sourceCaseId={sourceCaseId} />}
    </div>
  );
}

export function DecisionLines({
  decisions,
  label,
  currentCaseId,
  renderAction,
}: {
  decisions: readonly CaseDecision[];
  label: string;
  currentCaseId: string;
  renderAction?: (decision: CaseDecision) => React.ReactNode;
}) {
  return (
    <ul className="lines" aria-label={label}>
      {decisions.map((decision) => (
        <li key={decision.id} className="grid gap-1 py-3 text-small">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">
              {CASE_ACTION_TEXTS[decision.action].done}
              {decision.until !== null && formatText(texts.untilDay, { day: formatLongDay(decision.until) })}
              {decision.undoneAt !== null && texts.reversedSuffix}
            </span>
            <span className="text-muted num">{formatExactTime(decision.at)}</span>
          </p>
          <p className="wrap-anywhere">
            “<bdi>{decision.reason}</bdi>”
          </p>
          <p className="text-muted">
            {decision.operator === null
              ? decision.action === 'restore'
                ? texts.automatic
                : texts.viaCli
              : formatText(texts.byOperator, { operator: decision.operator })}
            {decision.caseId !== currentCaseId && (
              <>
                {', '}
                <UiLink href={casePath(decision.caseId)} className="underline underline-offset-4 num">
                  {decision.reference}
                </UiLink>
              </>
            )}
          </p>
          {renderAction?.(decision)}
        </li>
      ))}
    </ul>
  );
}

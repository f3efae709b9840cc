import {
  adminPayoutPath,
  adminPostPath,
  adminVerificationPath,
  ledgerAccountPath,
} from '@stagedoor/contract/admin/addresses.ts';
import type { AdminUser } from '@stagedoor/contract/admin/search.ts';
import { getAdminVerification } from '@stagedoor/contract/compliance/verification.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { formatLongDay, formatRestriction } from '@stagedoor/contract/shared/restrictions.ts';
import { formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { Row, Rows } from '../../../../ui/rows.tsx';
import { DecisionLines } from '../cases/case-user.tsx';
import { OpenUserCaseForm } from '../cases/open-case.tsx';
import { PAYOUT_STATE_LABELS } from '../payouts/payout-labels.ts';
import { CaseSummaryRows, DetailSection } from './detail-section.tsx';

const formatAmount = (amount: number) => formatCents(Math.round(amount * 100));

function formatUserStatus({
  isDeleted,
  isDeletionScheduled,
  isBlocked,
  blockedUntil,
  restrictions,
}: AdminUser): string {
  if (isDeleted) return 'Deleted';
  if (isDeletionScheduled) return 'Deletion requested';
  if (isBlocked) return blockedUntil === null ? 'Blocked' : `Suspended until ${formatLongDay(blockedUntil)}`;
  if (restrictions.length === 0) return 'Active';
  return restrictions.map(({ activity, until }) => formatRestriction(activity, until)).join(' ');
}

const VERIFICATION_LABELS = {
  started: 'Started',
  submitted: 'In review',
  verified: 'Verified',
  failed: 'Unreadable',
  declined: 'Declined',
} as const;

function MoneySections({ money, now }: { money: NonNullable<AdminUser['money']>; now: string }) {
  const { accounts, spent, earned, payouts } = money;
  const details: DefinitionItem[] = [
    ...(spent === null ? [] : [{ name: 'Spent', value: formatAmount(spent) }]),
    ...(earned === null ? [] : [{ name: 'Earned', value: formatAmount(earned) }]),
  ];
  return (
    <>
      <DetailSection id="money" title="Money">
        {details.length > 0 && <DefinitionList strong items={details} />}
        {accounts.length === 0 ? (
          <p className="text-small text-muted">No transactions yet</p>
        ) : (
          <Rows closed label="Accounts">
            {accounts.map(({ code, label, balance }) => (
              <Row
                key={code}
                href={ledgerAccountPath(code)}
                title={label}
                end={<span className="num font-semibold">{formatAmount(balance)}</span>}
              />
            ))}
          </Rows>
        )}
      </DetailSection>
      {payouts.length > 0 && (
        <DetailSection id="payouts" title="Payouts">
          <Rows closed label="Payouts">
            {payouts.map(({ id, amount, status, createdAt }) => (
              <Row
                key={id}
                href={adminPayoutPath(id)}
                title={formatAmount(amount)}
                sub={PAYOUT_STATE_LABELS[status]}
                end={<span className="text-small text-muted num">{formatDayTime(createdAt, now)}</span>}
              />
            ))}
          </Rows>
        </DetailSection>
      )}
    </>
  );
}

function UserDetails({ view }: { view: AdminUser }) {
  const canReadVerification = useCanCallRoute(getAdminVerification);
  const { id, type, username, since, lastSeenAt, verification, sessions, blocks } = view;
  const createLink = (href: string, label: string) => (
    <UiLink href={href} className="underline underline-offset-4">
      {label}
    </UiLink>
  );
  const details: DefinitionItem[] = [
    { name: 'Account', value: type === 'creator' ? 'Creator' : 'Fan' },
    { name: 'Status', value: formatUserStatus(view) },
    { name: 'Email', value: <bdi className="wrap-anywhere">{view.email}</bdi> },
    { name: 'Email confirmed', value: view.isEmailVerified ? 'Yes' : 'No' },
    { name: 'Two-factor authentication', value: view.hasSecondFactor ? 'On' : 'Off' },
    { name: 'Joined', value: formatExactTime(since) },
    { name: 'Last seen', value: lastSeenAt === null ? 'Never' : formatExactTime(lastSeenAt) },
    { name: 'Logged in', value: sessions === 1 ? 'On one device' : `On ${sessions} devices` },
    { name: 'Blocks', value: blocks >= 999 ? '999+ people' : blocks === 1 ? '1 person' : `${blocks} people` },
  ];
  if (verification !== null) {
    const label = VERIFICATION_LABELS[verification];
    const isLinked = canReadVerification && verification !== 'started';
    details.push({ name: 'Verification', value: isLinked ? createLink(adminVerificationPath(id), label) : label });
  }
  if (type === 'creator' && !view.isBlocked && !view.isDeleted)
    details.push({ name: 'Public profile', value: createLink(profilePath(username), 'Open') });
  details.push({ name: 'ID', value: <span className="wrap-anywhere">{id}</span> });
  return <DefinitionList strong items={details} />;
}

export function AdminUserView({ view, now, canReadCases }: { view: AdminUser; now: string; canReadCases: boolean }) {
  const { name, username, avatarUrl, casesAbout, casesFrom, decisions, posts, money } = view;
  return (
    <div className="grid gap-8">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={avatarUrl} />
        <p className="min-w-0 text-muted">
          @<bdi>{username}</bdi>
        </p>
      </div>
      <UserDetails view={view} />
      {money && <MoneySections money={money} now={now} />}
      <DetailSection id="about" title="Cases about this user">
        <CaseSummaryRows cases={casesAbout} label="Cases about this user" now={now} />
      </DetailSection>
      <DetailSection id="wrote" title="Cases opened by this user">
        <CaseSummaryRows cases={casesFrom} label="Cases opened by this user" now={now} />
      </DetailSection>
      {canReadCases && (
        <DetailSection id="decisions" title="Decisions">
          {decisions.length === 0 ? (
            <p className="text-small text-muted">None.</p>
          ) : (
            <DecisionLines decisions={decisions} label="Decisions" currentCaseId="" />
          )}
        </DetailSection>
      )}
      {posts.length > 0 && (
        <DetailSection id="posts" title="Latest posts">
          <Rows closed label="Latest posts">
            {posts.map(({ id, title, at, isDeleted }) => (
              <Row
                key={id}
                href={canReadCases ? adminPostPath(id) : undefined}
                title={title || 'Untitled post'}
                sub={isDeleted ? 'Not visible' : undefined}
                end={<span className="text-small text-muted num">{formatDayTime(at, now)}</span>}
              />
            ))}
          </Rows>
        </DetailSection>
      )}
      <OpenUserCaseForm id={view.id} />
      <p className="text-small text-muted">Your view is recorded in the audit log.</p>
    </div>
  );
}

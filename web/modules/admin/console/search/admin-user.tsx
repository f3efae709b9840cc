import {
  adminPayoutPath,
  adminPostPath,
  adminUserSubscriptionsPath,
  adminVerificationPath,
  ledgerAccountPath,
} from '@stagedoor/contract/admin/addresses.ts';
import type { AdminUser } from '@stagedoor/contract/admin/search.ts';
import { listAdminSubscriptions } from '@stagedoor/contract/admin/subscriptions.ts';
import { getAdminVerification } from '@stagedoor/contract/compliance/verification.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

const formatAmount = (amount: number) => formatCents(Math.round(amount * 100));

function formatUserStatus({
  isDeleted,
  isDeletionScheduled,
  isBlocked,
  blockedUntil,
  restrictions,
}: AdminUser): string {
  if (isDeleted) return texts.deleted;
  if (isDeletionScheduled) return texts.deletionRequested;
  if (isBlocked)
    return blockedUntil === null
      ? texts.blocked
      : formatText(texts.suspendedUntilTime, { time: formatLongDay(blockedUntil) });
  if (restrictions.length === 0) return texts.active;
  return restrictions.map(({ activity, until }) => formatRestriction(activity, until)).join(' ');
}

const VERIFICATION_LABELS = {
  started: texts.started,
  submitted: texts.inReview,
  verified: texts.verified,
  failed: texts.unreadable,
  declined: texts.declined,
} as const;

function MoneySections({ money, now }: { money: NonNullable<AdminUser['money']>; now: string }) {
  const { accounts, spent, earned, payouts } = money;
  const details: DefinitionItem[] = [
    ...(spent === null ? [] : [{ name: 'Spent', value: formatAmount(spent) }]),
    ...(earned === null ? [] : [{ name: 'Earned', value: formatAmount(earned) }]),
  ];
  return (
    <>
      <DetailSection id="money" title={texts.money}>
        {details.length > 0 && <DefinitionList strong items={details} />}
        {accounts.length === 0 ? (
          <p className="text-small text-muted">{texts.noTransactionsYet}</p>
        ) : (
          <Rows closed label={texts.accounts}>
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
        <DetailSection id="payouts" title={texts.payouts}>
          <Rows closed label={texts.payouts}>
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
    { name: texts.emailConfirmed, value: view.isEmailVerified ? 'Yes' : 'No' },
    { name: texts.twoFactorAuthentication, value: view.hasSecondFactor ? 'On' : 'Off' },
    { name: 'Joined', value: formatExactTime(since) },
    { name: texts.lastSeen, value: lastSeenAt === null ? 'Never' : formatExactTime(lastSeenAt) },
    { name: texts.loggedIn, value: sessions === 1 ? texts.onOneDevice : `On ${sessions} devices` },
    { name: 'Blocks', value: blocks >= 999 ? texts.blocksOverMaximum : blocks === 1 ? '1 person' : `${blocks} people` },
  ];
  if (verification !== null) {
    const label = VERIFICATION_LABELS[verification];
    const isLinked = canReadVerification && verification !== 'started';
    details.push({ name: 'Verification', value: isLinked ? createLink(adminVerificationPath(id), label) : label });
  }
  if (type === 'creator' && !view.isBlocked && !view.isDeleted)
    details.push({ name: texts.publicProfile, value: createLink(profilePath(username), texts.open) });
  details.push({ name: 'ID', value: <span className="wrap-anywhere">{id}</span> });
  return <DefinitionList strong items={details} />;
}

function SubscriptionsLink({ username }: Pick<AdminUser, 'username'>) {
  if (!useCanCallRoute(listAdminSubscriptions)) return null;
  return (
    <DetailSection id="subscriptions" title={texts.subscriptions}>
      <Rows closed label={texts.subscriptions}>
        <Row href={adminUserSubscriptionsPath(username)} title={texts.viewSubscriptions} />
      </Rows>
    </DetailSection>
  );
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
      <SubscriptionsLink username={username} />
      <DetailSection id="about" title={texts.casesAboutThisUser}>
        <CaseSummaryRows cases={casesAbout} label={texts.casesAboutThisUser} now={now} />
      </DetailSection>
      <DetailSection id="wrote" title={texts.casesOpenedByThisUser}>
        <CaseSummaryRows cases={casesFrom} label={texts.casesOpenedByThisUser} now={now} />
      </DetailSection>
      {canReadCases && (
        <DetailSection id="decisions" title={texts.decisions}>
          {decisions.length === 0 ? (
            <p className="text-small text-muted">{texts.none}</p>
          ) : (
            <DecisionLines decisions={decisions} label={texts.decisions} currentCaseId="" />
          )}
        </DetailSection>
      )}
      {posts.length > 0 && (
        <DetailSection id="posts" title={texts.latestPosts}>
          <Rows closed label={texts.latestPosts}>
            {posts.map(({ id, title, at, isDeleted }) => (
              <Row
                key={id}
                href={canReadCases ? adminPostPath(id) : undefined}
                title={title || texts.untitledPost}
                sub={isDeleted ? texts.notVisible : undefined}
                end={<span className="text-small text-muted num">{formatDayTime(at, now)}</span>}
              />
            ))}
          </Rows>
        </DetailSection>
      )}
      <OpenUserCaseForm id={view.id} />
      <p className="text-small text-muted">{texts.viewRecordedHint}</p>
    </div>
  );
}

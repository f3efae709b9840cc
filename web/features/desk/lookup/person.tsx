import { profilePath } from '@stagedoor/contract/addresses.ts';
import { closedActivityWords, dayWords } from '@stagedoor/contract/atoms/activities.ts';
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import {
  ledgerAccountPath,
  payoutCasePath,
  postDeskPath,
  verificationCasePath,
} from '@stagedoor/contract/desk-addresses.ts';
import type { PersonView } from '@stagedoor/contract/lookup.ts';
import { readVerification } from '@stagedoor/contract/verification.ts';
import { formatDayTime, formatExact } from '../../../kernel/dates.ts';
import { useMay } from '../../../kernel/operator.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { type Fact, FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { OpenPersonCase } from '../cases/open.tsx';
import { DecisionLines } from '../cases/people.tsx';
import { STATE_WORDS as PAYOUT_WORDS } from '../payouts/words.ts';
import { CaseRows, Part } from './parts.tsx';

const usd = (amount: number) => formatCents(Math.round(amount * 100));

function standingOf({ isClosed, isClosing, isBlocked, blockedUntil, limits }: PersonView): string {
  if (isClosed) return 'Deleted';
  if (isClosing) return 'Deletion requested';
  if (isBlocked) return blockedUntil === null ? 'Blocked' : `Suspended until ${dayWords(blockedUntil)}`;
  if (limits.length === 0) return 'Active';
  return limits.map(({ activity, until }) => closedActivityWords(activity, until)).join(' ');
}

const VERIFICATION_WORDS = {
  started: 'Started',
  submitted: 'In review',
  verified: 'Verified',
  failed: 'Unreadable',
  declined: 'Declined',
} as const;

function Money({ money, now }: { money: NonNullable<PersonView['money']>; now: string }) {
  const { accounts, spent, earned, payouts } = money;
  const facts: Fact[] = [
    ...(spent === null ? [] : [{ name: 'Spent', value: usd(spent) }]),
    ...(earned === null ? [] : [{ name: 'Earned', value: usd(earned) }]),
  ];
  return (
    <>
      <Part id="money" title="Money">
        {facts.length > 0 && <FactList strong facts={facts} />}
        {accounts.length === 0 ? (
          <p className="text-small text-muted">No transactions yet</p>
        ) : (
          <Rows closed label="Accounts">
            {accounts.map(({ code, words, balance }) => (
              <Row
                key={code}
                href={ledgerAccountPath(code)}
                title={words}
                end={<span className="num font-semibold">{usd(balance)}</span>}
              />
            ))}
          </Rows>
        )}
      </Part>
      {payouts.length > 0 && (
        <Part id="payouts" title="Payouts">
          <Rows closed label="Payouts">
            {payouts.map(({ id, amount, status, createdAt }) => (
              <Row
                key={id}
                href={payoutCasePath(id)}
                title={usd(amount)}
                sub={PAYOUT_WORDS[status]}
                end={<span className="text-small text-muted num">{formatDayTime(createdAt, now)}</span>}
              />
            ))}
          </Rows>
        </Part>
      )}
    </>
  );
}

function Facts({ view }: { view: PersonView }) {
  const mayVerification = useMay(readVerification);
  const { id, type, username, since, lastSeenAt, verification, sessions, blocks } = view;
  const link = (href: string, words: string) => (
    <UiLink href={href} className="underline underline-offset-4">
      {words}
    </UiLink>
  );
  const facts: Fact[] = [
    { name: 'Account', value: type === 'creator' ? 'Creator' : 'Fan' },
    { name: 'Status', value: standingOf(view) },
    { name: 'Email', value: <bdi className="wrap-anywhere">{view.email}</bdi> },
    { name: 'Email confirmed', value: view.isEmailVerified ? 'Yes' : 'No' },
    { name: 'Two-factor authentication', value: view.hasSecondFactor ? 'On' : 'Off' },
    { name: 'Joined', value: formatExact(since) },
    { name: 'Last seen', value: lastSeenAt === null ? 'Never' : formatExact(lastSeenAt) },
    { name: 'Logged in', value: sessions === 1 ? 'On one device' : `On ${sessions} devices` },
    { name: 'Blocks', value: blocks >= 999 ? '999+ people' : blocks === 1 ? '1 person' : `${blocks} people` },
  ];
  if (verification !== null) {
    const words = VERIFICATION_WORDS[verification];
    const isToSee = mayVerification && verification !== 'started';
    facts.push({ name: 'Verification', value: isToSee ? link(verificationCasePath(id), words) : words });
  }
  if (type === 'creator' && !view.isBlocked && !view.isClosed)
    facts.push({ name: 'Public profile', value: link(profilePath(username), 'Open') });
  facts.push({ name: 'ID', value: <span className="wrap-anywhere">{id}</span> });
  return <FactList strong facts={facts} />;
}

export function Person({ view, now, mayCases }: { view: PersonView; now: string; mayCases: boolean }) {
  const { name, username, avatarUrl, about, wrote, decisions, posts, money } = view;
  return (
    <div className="grid gap-8">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={avatarUrl} />
        <p className="min-w-0 text-muted">
          @<bdi>{username}</bdi>
        </p>
      </div>
      <Facts view={view} />
      {money && <Money money={money} now={now} />}
      <Part id="about" title="Cases about this user">
        <CaseRows lines={about} label="Cases about this user" now={now} />
      </Part>
      <Part id="wrote" title="Cases opened by this user">
        <CaseRows lines={wrote} label="Cases opened by this user" now={now} />
      </Part>
      {mayCases && (
        <Part id="decisions" title="Decisions">
          {decisions.length === 0 ? (
            <p className="text-small text-muted">None.</p>
          ) : (
            <DecisionLines decisions={decisions} label="Decisions" here="" />
          )}
        </Part>
      )}
      {posts.length > 0 && (
        <Part id="posts" title="Latest posts">
          <Rows closed label="Latest posts">
            {posts.map(({ id, title, at, isGone }) => (
              <Row
                key={id}
                href={mayCases ? postDeskPath(id) : undefined}
                title={title || 'Untitled post'}
                sub={isGone ? 'Not visible' : undefined}
                end={<span className="text-small text-muted num">{formatDayTime(at, now)}</span>}
              />
            ))}
          </Rows>
        </Part>
      )}
      <OpenPersonCase id={view.id} />
      <p className="text-small text-muted">Your view is recorded in the audit log.</p>
    </div>
  );
}

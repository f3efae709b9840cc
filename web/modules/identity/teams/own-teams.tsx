import { leaveTeam, listOwnTeams, type OwnTeams, respondToTeamInvitation } from '@stagedoor/contract/identity/teams.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatExactTime } from '../../../platform/dates.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { switchToCreator } from './delegation.ts';
import { formatRights } from './rights.tsx';
import * as texts from './texts.ts';

export const teamsQuery = () => apiQuery(listOwnTeams, {});

function Invitation({ invitation }: { invitation: OwnTeams['invitations'][number] }) {
  const client = useQueryClient();
  const { id, creator, rights, expiresAt } = invitation;
  const respond = useApiMutation(respondToTeamInvitation, {
    onSuccess: (teams) => client.setQueryData(teamsQuery().queryKey, teams),
    onError: () => client.invalidateQueries({ queryKey: routeKey(listOwnTeams) }),
  });
  const send = (isAccepted: boolean) => respond.mutate({ params: { id }, body: { isAccepted } });
  return (
    <Row
      lead={<Avatar name={creator.name} src={creator.avatarUrl ?? undefined} />}
      title={formatText(texts.creatorInvitedYou, { name: creator.name })}
      sub={
        <span className="whitespace-normal">
          {formatText(texts.rightsUntil, { rights: formatRights(rights), expiresAt: formatExactTime(expiresAt) })}
        </span>
      }
      end={
        <span className="flex flex-col items-end lg:flex-row lg:gap-2">
          <Button variant="primary" busy={respond.isPending} onClick={() => send(true)}>
            {texts.accept}
          </Button>
          <Button variant="quiet" disabled={respond.isPending} onClick={() => send(false)}>
            {texts.decline}
          </Button>
        </span>
      }
    />
  );
}

function Membership({ membership }: { membership: OwnTeams['memberships'][number] }) {
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const { creator, rights } = membership;
  const leave = useApiMutation(leaveTeam, {
    onSettled: () => client.invalidateQueries({ queryKey: routeKey(listOwnTeams) }),
  });
  const switchAccount = () => {
    setIsBusy(true);
    switchToCreator(creator.id, rights).catch(() => setIsBusy(false));
  };
  return (
    <Row
      lead={<Avatar name={creator.name} src={creator.avatarUrl ?? undefined} />}
      title={creator.name}
      sub={formatRights(rights)}
      end={
        <span className="flex flex-col items-end lg:flex-row lg:gap-2">
          <Button
            busy={isBusy}
            aria-label={formatText(texts.switchToCreator, { name: creator.name })}
            onClick={switchAccount}
          >
            {texts.switchButton}
          </Button>
          <Button
            variant="quiet"
            busy={leave.isPending}
            aria-label={formatText(texts.leaveTeamLabel, { name: creator.name })}
            onClick={() => leave.mutate({ params: { id: creator.id } })}
          >
            {texts.leave}
          </Button>
        </span>
      }
    />
  );
}

export function OwnTeamsList() {
  const query = useQuery(teamsQuery());
  if (!query.data)
    return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <SkeletonRows count={1} />;
  const { memberships, invitations } = query.data;
  if (memberships.length + invitations.length === 0) return <p className="text-muted">{texts.noTeamsHint}</p>;
  return (
    <>
      <p className="text-muted">{texts.ownTeamsHint}</p>
      <Rows label={texts.teams} className="mt-4">
        {invitations.map((invitation) => (
          <Invitation key={invitation.id} invitation={invitation} />
        ))}
        {memberships.map((membership) => (
          <Membership key={membership.creator.id} membership={membership} />
        ))}
      </Rows>
    </>
  );
}

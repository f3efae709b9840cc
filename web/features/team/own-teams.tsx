/** Whose teams one is in: to act for them, or to leave; and who asks one into theirs. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { answerInvitation, leaveTeam, listTeams, type OwnTeams } from '@stagedoor/contract/team.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { apiQuery, routeKey, useApi } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { homeOfRights, switchTo } from './act.ts';
import { rightsLine } from './rights.tsx';

export const teamsQuery = () => apiQuery(listTeams, {});

function Invitation({ invitation }: { invitation: OwnTeams['invitations'][number] }) {
  const client = useQueryClient();
  const { id, creator, rights, expiresAt } = invitation;
  const answer = useApiMutation(answerInvitation, {
    onSuccess: (teams) => client.setQueryData(teamsQuery().queryKey, teams),
    onError: () => client.invalidateQueries({ queryKey: routeKey(listTeams) }),
  });
  const send = (isAccepted: boolean) => answer.mutate({ params: { id }, body: { isAccepted } });
  return (
    <Row
      lead={<Avatar name={creator.name} src={creator.avatarUrl ?? undefined} />}
      title={`${creator.name} asks you`}
      sub={<span className="whitespace-normal">{`${rightsLine(rights)} · until ${formatExact(expiresAt)}`}</span>}
      end={
        <span className="flex flex-wrap justify-end gap-2">
          <Button variant="primary" busy={answer.isPending} onClick={() => send(true)}>
            Accept
          </Button>
          <Button variant="quiet" disabled={answer.isPending} onClick={() => send(false)}>
            Decline
          </Button>
        </span>
      }
    />
  );
}

function Membership({
  membership,
  isActing,
  isElsewhere,
}: {
  membership: OwnTeams['memberships'][number];
  isActing: boolean;
  isElsewhere: boolean;
}) {
  const client = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const { creator, rights } = membership;
  const leave = useApiMutation(leaveTeam, {
    onSettled: () => client.invalidateQueries({ queryKey: routeKey(listTeams) }),
  });
  const act = () => {
    setIsBusy(true);
    switchTo(isActing ? null : creator.id, isActing ? PATHS.teams : homeOfRights(rights)).catch(() => setIsBusy(false));
  };
  return (
    <Row
      lead={<Avatar name={creator.name} src={creator.avatarUrl ?? undefined} />}
      title={creator.name}
      sub={rightsLine(rights)}
      end={
        <span className="flex flex-wrap justify-end gap-2">
          <Button busy={isBusy} aria-label={`${isActing ? 'Stop acting' : 'Act'} for ${creator.name}`} onClick={act}>
            {isActing ? 'Stop' : 'Act for them'}
          </Button>
          {!isElsewhere && (
            <Button
              variant="quiet"
              busy={leave.isPending}
              aria-label={`Leave the team of ${creator.name}`}
              onClick={() => leave.mutate({ params: { id: creator.id } })}
            >
              Leave
            </Button>
          )}
        </span>
      }
    />
  );
}

export function OwnTeamsList() {
  const { memberships, invitations, actingFor } = useApi(listTeams, {});
  if (memberships.length + invitations.length === 0)
    return (
      <EmptyState line="You are in nobody’s team." more="A creator who wants your help asks you, and it shows here." />
    );
  return (
    <>
      {invitations.length > 0 && actingFor === null && (
        <>
          <SectionHead title="You are asked" />
          <Rows label="Invitations" className="mb-8">
            {invitations.map((invitation) => (
              <Invitation key={invitation.id} invitation={invitation} />
            ))}
          </Rows>
        </>
      )}
      {memberships.length > 0 && (
        <>
          <SectionHead title="You help" />
          <Rows label="Teams" className="mb-8">
            {memberships.map((membership) => (
              <Membership
                key={membership.creator.id}
                membership={membership}
                isActing={actingFor === membership.creator.id}
                isElsewhere={actingFor !== null}
              />
            ))}
          </Rows>
        </>
      )}
    </>
  );
}

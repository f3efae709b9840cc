import {
  type CreatorTeam,
  getTeam,
  inviteToTeam,
  removeTeamMember,
  type TeamMember,
  updateMemberRights,
  withdrawTeamInvitation,
} from '@stagedoor/contract/identity/teams.ts';
import type { TeamRight } from '@stagedoor/contract/shared/delegation.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { Glyph, Row, Rows } from '../../../ui/rows.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { formatRights, RightsField } from './rights.tsx';
import * as texts from './texts.ts';

export const teamQuery = () => apiQuery(getTeam, {});

function useSetTeam(): (team: CreatorTeam) => void {
  const client = useQueryClient();
  return (team) => client.setQueryData(teamQuery().queryKey, team);
}

function InviteForm({ onInvited }: { onInvited: (team: CreatorTeam) => void }) {
  const [to, setTo] = useState('');
  const [rights, setRights] = useState<TeamRight[]>(['chat']);
  const invite = useApiMutation(inviteToTeam, { showErrorMessage: false, onSuccess: onInvited });
  const isComplete = to.trim() !== '' && rights.length > 0;
  return (
    <form
      noValidate
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !invite.isPending) invite.mutate({ body: { to, rights } });
      }}
    >
      <TextField
        label={texts.usernameOrEmail}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        value={to}
        hint={texts.inviteHint}
        onChange={(event) => {
          invite.reset();
          setTo(event.currentTarget.value);
        }}
      />
      <RightsField selected={rights} onChange={setRights} />
      {invite.error && <InlineError message={invite.error.message} />}
      <Button type="submit" variant="primary" size="lg" wide disabled={!isComplete} busy={invite.isPending}>
        {texts.sendInvite}
      </Button>
    </form>
  );
}

function MemberForm({ member, onDone }: { member: TeamMember; onDone: (team: CreatorTeam, message: string) => void }) {
  const { user } = member;
  const [rights, setRights] = useState<TeamRight[]>(member.rights);
  const params = { id: user.id };
  const save = useApiMutation(updateMemberRights, { onSuccess: (team) => onDone(team, texts.saved) });
  const remove = useApiMutation(removeTeamMember, {
    onSuccess: (team) => onDone(team, formatText(texts.memberRemoved, { name: user.name })),
  });
  const isBusy = save.isPending || remove.isPending;
  return (
    <form
      noValidate
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (rights.length > 0 && !isBusy) save.mutate({ params, body: { rights } });
      }}
    >
      <RightsField selected={rights} onChange={setRights} />
      <Button type="submit" variant="primary" size="lg" wide disabled={rights.length === 0} busy={save.isPending}>
        {texts.save}
      </Button>
      <Button variant="danger" wide busy={remove.isPending} onClick={() => remove.mutate({ params })}>
        {formatText(texts.removeMember, { name: isolateText(user.name) })}
      </Button>
      <p className="text-small text-muted">{texts.removeMemberConsequence}</p>
    </form>
  );
}

function Invitations({ team }: { team: CreatorTeam }) {
  const setCachedTeam = useSetTeam();
  const withdraw = useApiMutation(withdrawTeamInvitation, { onSuccess: setCachedTeam });
  if (team.invitations.length === 0) return null;
  return (
    <Rows label={texts.invited} className="mt-4">
      {team.invitations.map(({ id, to, rights, expiresAt }) => (
        <Row
          key={id}
          lead={<Glyph icon="mail" />}
          title={to}
          sub={
            <span className="whitespace-normal">
              {formatText(texts.rightsUntil, { rights: formatRights(rights), expiresAt: formatExactTime(expiresAt) })}
            </span>
          }
          end={
            <Button
              aria-label={formatText(texts.cancelInviteFor, { username: to })}
              onClick={() => withdraw.mutate({ params: { id } })}
              busy={withdraw.isPending && withdraw.variables.params.id === id}
            >
              {texts.cancelInvite}
            </Button>
          }
        />
      ))}
    </Rows>
  );
}

export function TeamMemberList() {
  const team = useApi(getTeam, {});
  const setCachedTeam = useSetTeam();
  const [openDialog, setOpenDialog] = useState<TeamMember | 'invite'>();
  const count = team.members.length + team.invitations.length;
  const finish = (next: CreatorTeam, message: string) => {
    setCachedTeam(next);
    setOpenDialog(undefined);
    void showToast(message);
  };
  return (
    <>
      {count === 0 && <EmptyState line={texts.noTeamMembersYet} more={texts.noTeamMembersHint} />}
      {team.members.length > 0 && (
        <Rows label={texts.team}>
          {team.members.map((member) => (
            <Row
              key={member.user.id}
              lead={<Avatar name={member.user.name} src={member.user.avatarUrl ?? undefined} />}
              title={member.user.name}
              sub={`@${member.user.username} · ${formatRights(member.rights)}`}
              end={
                <Button
                  aria-label={formatText(texts.changeMember, { name: member.user.name })}
                  onClick={() => setOpenDialog(member)}
                >
                  {texts.changeButton}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <Invitations team={team} />
      <p className="flex flex-wrap items-center gap-4 pt-6">
        <Button variant="primary" icon="plus" disabled={count >= team.max} onClick={() => setOpenDialog('invite')}>
          {texts.inviteSomeone}
        </Button>
        <span className="num text-small text-muted">{formatText(texts.memberCount, { count, max: team.max })}</span>
      </p>
      <Dialog
        open={openDialog === 'invite'}
        onOpenChange={(open) => !open && setOpenDialog(undefined)}
        title={texts.inviteQuestion}
      >
        <InviteForm onInvited={(next) => finish(next, texts.inviteSent)} />
      </Dialog>
      <Dialog
        open={openDialog !== undefined && openDialog !== 'invite'}
        onOpenChange={(open) => !open && setOpenDialog(undefined)}
        title={openDialog && openDialog !== 'invite' ? isolateText(openDialog.user.name) : ''}
      >
        {openDialog && openDialog !== 'invite' && <MemberForm member={openDialog} onDone={finish} />}
      </Dialog>
    </>
  );
}

import type { TeamRight } from '@stagedoor/contract/atoms/acting.ts';
import {
  changeRights,
  getTeam,
  inviteToTeam,
  removeMember,
  type Team,
  type TeamMember,
  withdrawInvitation,
} from '@stagedoor/contract/team.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Glyph, Row, Rows } from '../../ui/rows.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { RightBoxes, rightsLine } from './rights.tsx';

export const teamQuery = () => apiQuery(getTeam, {});

function useKeep(): (team: Team) => void {
  const client = useQueryClient();
  return (team) => client.setQueryData(teamQuery().queryKey, team);
}

function InviteForm({ onInvited }: { onInvited: (team: Team) => void }) {
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
        label="Username or email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        value={to}
        hint="They’ll accept with their own account within 7 days."
        onChange={(event) => {
          invite.reset();
          setTo(event.currentTarget.value);
        }}
      />
      <RightBoxes chosen={rights} onChange={setRights} />
      {invite.error && <Refusal message={invite.error.message} />}
      <Button type="submit" variant="primary" size="lg" wide disabled={!isComplete} busy={invite.isPending}>
        Send invite
      </Button>
    </form>
  );
}

function MemberForm({ member, onDone }: { member: TeamMember; onDone: (team: Team, words: string) => void }) {
  const { person } = member;
  const [rights, setRights] = useState<TeamRight[]>(member.rights);
  const params = { id: person.id };
  const save = useApiMutation(changeRights, { onSuccess: (team) => onDone(team, 'Saved.') });
  const remove = useApiMutation(removeMember, { onSuccess: (team) => onDone(team, `${person.name} was removed.`) });
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
      <RightBoxes chosen={rights} onChange={setRights} />
      <Button type="submit" variant="primary" size="lg" wide disabled={rights.length === 0} busy={save.isPending}>
        Save
      </Button>
      <Button variant="danger" wide busy={remove.isPending} onClick={() => remove.mutate({ params })}>
        {`Remove ${isolated(person.name)}`}
      </Button>
      <p className="text-small text-muted">
        If you remove them, they lose access immediately. Their past actions stay in the activity log.
      </p>
    </form>
  );
}

function Invitations({ team }: { team: Team }) {
  const keep = useKeep();
  const withdraw = useApiMutation(withdrawInvitation, { onSuccess: keep });
  if (team.invitations.length === 0) return null;
  return (
    <Rows label="Invited" className="mt-4">
      {team.invitations.map(({ id, to, rights, expiresAt }) => (
        <Row
          key={id}
          lead={<Glyph icon="mail" />}
          title={to}
          sub={<span className="whitespace-normal">{`${rightsLine(rights)} · until ${formatExact(expiresAt)}`}</span>}
          end={
            <Button
              aria-label={`Cancel invite for ${to}`}
              onClick={() => withdraw.mutate({ params: { id } })}
              busy={withdraw.isPending && withdraw.variables.params.id === id}
            >
              Cancel invite
            </Button>
          }
        />
      ))}
    </Rows>
  );
}

export function Members() {
  const team = useApi(getTeam, {});
  const keep = useKeep();
  const [asked, setAsked] = useState<TeamMember | 'invite'>();
  const count = team.members.length + team.invitations.length;
  const done = (next: Team, words: string) => {
    keep(next);
    setAsked(undefined);
    void showToast(words);
  };
  return (
    <>
      {count === 0 && (
        <EmptyState
          line="No team members yet"
          more="Members use their own accounts. Fans see that your team replied; you see who."
        />
      )}
      {team.members.length > 0 && (
        <Rows label="Team">
          {team.members.map((member) => (
            <Row
              key={member.person.id}
              lead={<Avatar name={member.person.name} src={member.person.avatarUrl ?? undefined} />}
              title={member.person.name}
              sub={`@${member.person.username} · ${rightsLine(member.rights)}`}
              end={
                <Button aria-label={`Change ${member.person.name}`} onClick={() => setAsked(member)}>
                  Change
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <Invitations team={team} />
      <p className="flex flex-wrap items-center gap-4 pt-6">
        <Button variant="primary" icon="plus" disabled={count >= team.most} onClick={() => setAsked('invite')}>
          Invite someone
        </Button>
        <span className="num text-small text-muted">{`${count} of ${team.most}`}</span>
      </p>
      <Dialog
        open={asked === 'invite'}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title="Who do you want to invite?"
      >
        <InviteForm onInvited={(next) => done(next, 'Invite sent.')} />
      </Dialog>
      <Dialog
        open={asked !== undefined && asked !== 'invite'}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={asked && asked !== 'invite' ? isolated(asked.person.name) : ''}
      >
        {asked && asked !== 'invite' && <MemberForm member={asked} onDone={done} />}
      </Dialog>
    </>
  );
}

import { OPERATOR_ROLES, type OperatorRole } from '@stagedoor/contract/operator-rights.ts';
import {
  changeRoles,
  endOperatorSessions,
  inviteOperator,
  listTeam,
  listTeamChanges,
  type TeamMember,
} from '@stagedoor/contract/operators.ts';
import { type FormEvent, useState } from 'react';
import { formatDayTime, formatExact, plural } from '../../../kernel/dates.ts';
import { useMay } from '../../../kernel/operator.ts';
import { apiQuery } from '../../../kernel/query.ts';
import { useViewer } from '../../../kernel/session.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { Entries, Entry } from '../../../ui/entry.tsx';
import { FactList } from '../../../ui/facts.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { isGround, WHY } from '../settings/draft.tsx';
import { ROLE_WORDS } from './words.ts';

export const teamQuery = () => apiQuery(listTeam, {});
const FORGET = [listTeam, listTeamChanges];

type RolesProps = { chosen: readonly OperatorRole[]; onChange: (roles: OperatorRole[]) => void };

function RoleBoxes({ chosen, onChange }: RolesProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-2 text-small font-semibold">Roles</legend>
      {OPERATOR_ROLES.map((role) => (
        <Checkbox
          key={role}
          checked={chosen.includes(role)}
          hint={ROLE_WORDS[role].what}
          onChange={(event) =>
            onChange(
              OPERATOR_ROLES.filter((one) => (one === role ? event.currentTarget.checked : chosen.includes(one))),
            )
          }
        >
          {ROLE_WORDS[role].name}
        </Checkbox>
      ))}
    </fieldset>
  );
}

/** Makes an existing account an operator. */
export function Invite() {
  const [username, setUsername] = useState('');
  const [roles, setRoles] = useState<OperatorRole[]>([]);
  const [ground, setGround] = useState('');
  const invite = useDeskAct(inviteOperator, {
    forget: FORGET,
    done: ({ username: who }) => `@${who} is now staff. They and all owners get an email.`,
    onDone: () => {
      setUsername('');
      setRoles([]);
      setGround('');
    },
  });
  if (!invite.may) return null;
  const send = (event: FormEvent) => {
    event.preventDefault();
    invite.send({ body: { username: username.replace(/^@/, ''), roles, ground } });
  };
  return (
    <form className="form max-w-120" onSubmit={send} aria-label="Invite staff">
      <TextField
        label="Username"
        hint="Use a fan account without transactions. It becomes a staff-only account."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value.trim())}
      />
      <RoleBoxes chosen={roles} onChange={setRoles} />
      <TextField {...WHY} required value={ground} onChange={(event) => setGround(event.currentTarget.value)} />
      {invite.error !== undefined && <Refusal message={invite.error} />}
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        disabled={username === '' || roles.length === 0 || !isGround(ground)}
        busy={invite.isPending}
        busyText="Inviting…"
      >
        Invite
      </Button>
    </form>
  );
}

function ChangeRoles({ member }: { member: TeamMember }) {
  const [chosen, setChosen] = useState<OperatorRole[]>(member.roles);
  const [ground, setGround] = useState('');
  const change = useDeskAct(changeRoles, {
    forget: FORGET,
    done: ({ username, roles }) =>
      roles.length === 0
        ? `@${username} is no longer staff.`
        : `Roles of @${username} changed. They need to log in again.`,
  });
  const end = useDeskAct(endOperatorSessions, {
    forget: [listTeam],
    done: ({ username }) => `@${username} is logged out everywhere.`,
  });
  const isSame = chosen.join() === member.roles.join();
  const save = (to: OperatorRole[]) =>
    change.send({ params: { id: member.id }, body: { from: member.roles, to, ground } });
  return (
    <div className="grid max-w-120 gap-4 pt-5">
      <RoleBoxes chosen={chosen} onChange={setChosen} />
      <p className="text-small text-muted">Changing roles logs the person out. They and all owners get an email.</p>
      {!isSame && (
        <TextField {...WHY} required value={ground} onChange={(event) => setGround(event.currentTarget.value)} />
      )}
      {(change.error ?? end.error) !== undefined && <Refusal message={change.error ?? end.error ?? ''} />}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="ink"
          disabled={isSame || !isGround(ground)}
          busy={change.isPending}
          busyText="Saving…"
          onClick={() => save(chosen)}
        >
          {chosen.length === 0 && !isSame ? 'Remove all roles' : 'Change roles'}
        </Button>
        {member.sessions > 0 && (
          <Button busy={end.isPending} busyText="Ending…" onClick={() => end.send({ params: { id: member.id } })}>
            Log out everywhere
          </Button>
        )}
      </div>
    </div>
  );
}

const rolesOf = ({ roles }: TeamMember) =>
  roles.length === 0 ? 'No roles' : roles.map((role) => ROLE_WORDS[role].name).join(', ');

/** `now` is an ISO timestamp. */
export function TeamRows({ members, now }: { members: readonly TeamMember[]; now: string }) {
  const viewer = useViewer();
  const may = useMay(changeRoles);
  return (
    <Entries label="Staff">
      {members.map((member) => {
        const { id, username, name, avatarUrl, roles, hasSecondFactor, isBlocked, lastSeenAt, sessions, countsFrom } =
          member;
        const isMe = id === viewer?.id;
        return (
          <Entry
            key={id}
            lead={<Avatar name={name} src={avatarUrl} />}
            title={name}
            sub={`@${username}${isMe ? ', you' : ''}`}
            amount={roles.length > 1 ? plural(roles.length, 'role') : rolesOf(member)}
            word={hasSecondFactor ? 'Two-factor on' : 'Two-factor off'}
          >
            <FactList
              facts={[
                { name: 'Roles', value: rolesOf(member) },
                { name: 'Two-factor authentication', value: hasSecondFactor ? 'On' : 'Off (no access)' },
                { name: 'Logged in', value: sessions === 0 ? 'Not logged in' : plural(sessions, 'device') },
                { name: 'Last seen', value: lastSeenAt === null ? 'Never' : formatDayTime(lastSeenAt, now) },
                ...(countsFrom === null
                  ? []
                  : [{ name: 'Can give second approval', value: `From ${formatExact(countsFrom)}` }]),
                ...(isBlocked ? [{ name: 'Account', value: 'Blocked' }] : []),
              ]}
            />
            {isMe && <p className="pt-4 text-small text-muted">Only another owner can change your roles.</p>}
            {may && !isMe && <ChangeRoles key={roles.join()} member={member} />}
          </Entry>
        );
      })}
    </Entries>
  );
}

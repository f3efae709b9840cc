import { OPERATOR_ROLES, type OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import {
  endStaffSessions,
  inviteStaffMember,
  listStaff,
  listStaffChanges,
  type StaffMember,
  updateStaffRoles,
} from '@stagedoor/contract/admin/staff.ts';
import { type FormEvent, useState } from 'react';
import { formatCount, formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { useViewer } from '../../../../platform/session.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/choice.tsx';
import { DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { isValidReason, REASON_FIELD } from '../settings/numbers-form.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { ROLE_TEXTS } from './role-texts.ts';

export const staffQuery = () => apiQuery(listStaff, {});
const STAFF_ROUTES = [listStaff, listStaffChanges];

type RoleCheckboxesProps = { chosen: readonly OperatorRole[]; onChange: (roles: OperatorRole[]) => void };

function RoleCheckboxes({ chosen, onChange }: RoleCheckboxesProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-2 text-small font-semibold">Roles</legend>
      {OPERATOR_ROLES.map((role) => (
        <Checkbox
          key={role}
          checked={chosen.includes(role)}
          hint={ROLE_TEXTS[role].description}
          onChange={(event) =>
            onChange(
              OPERATOR_ROLES.filter((one) => (one === role ? event.currentTarget.checked : chosen.includes(one))),
            )
          }
        >
          {ROLE_TEXTS[role].name}
        </Checkbox>
      ))}
    </fieldset>
  );
}

/** Makes an existing account an operator. */
export function InviteStaffForm() {
  const [username, setUsername] = useState('');
  const [roles, setRoles] = useState<OperatorRole[]>([]);
  const [reason, setReason] = useState('');
  const invite = useAdminAction(inviteStaffMember, {
    invalidates: STAFF_ROUTES,
    successMessage: ({ username: invitedUsername }) =>
      `@${invitedUsername} is now staff. They and all owners get an email.`,
    onDone: () => {
      setUsername('');
      setRoles([]);
      setReason('');
    },
  });
  if (!invite.isAllowed) return null;
  const send = (event: FormEvent) => {
    event.preventDefault();
    invite.send({ body: { username: username.replace(/^@/, ''), roles, reason } });
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
      <RoleCheckboxes chosen={roles} onChange={setRoles} />
      <TextField {...REASON_FIELD} required value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      {invite.error !== undefined && <InlineError message={invite.error} />}
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        disabled={username === '' || roles.length === 0 || !isValidReason(reason)}
        busy={invite.isPending}
        busyText="Inviting…"
      >
        Invite
      </Button>
    </form>
  );
}

function ChangeRolesForm({ member }: { member: StaffMember }) {
  const [chosen, setChosen] = useState<OperatorRole[]>(member.roles);
  const [reason, setReason] = useState('');
  const change = useAdminAction(updateStaffRoles, {
    invalidates: STAFF_ROUTES,
    successMessage: ({ username, roles }) =>
      roles.length === 0
        ? `@${username} is no longer staff.`
        : `Roles of @${username} changed. They need to log in again.`,
  });
  const endSessions = useAdminAction(endStaffSessions, {
    invalidates: [listStaff],
    successMessage: ({ username }) => `@${username} is logged out everywhere.`,
  });
  const isSame = chosen.join() === member.roles.join();
  const save = (to: OperatorRole[]) =>
    change.send({ params: { id: member.id }, body: { from: member.roles, to, reason } });
  return (
    <div className="grid max-w-120 gap-4 pt-5">
      <RoleCheckboxes chosen={chosen} onChange={setChosen} />
      <p className="text-small text-muted">Changing roles logs the person out. They and all owners get an email.</p>
      {!isSame && (
        <TextField
          {...REASON_FIELD}
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {(change.error ?? endSessions.error) !== undefined && (
        <InlineError message={change.error ?? endSessions.error ?? ''} />
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="ink"
          disabled={isSame || !isValidReason(reason)}
          busy={change.isPending}
          busyText="Saving…"
          onClick={() => save(chosen)}
        >
          {chosen.length === 0 && !isSame ? 'Remove all roles' : 'Change roles'}
        </Button>
        {member.sessions > 0 && (
          <Button
            busy={endSessions.isPending}
            busyText="Ending…"
            onClick={() => endSessions.send({ params: { id: member.id } })}
          >
            Log out everywhere
          </Button>
        )}
      </div>
    </div>
  );
}

const formatRoles = ({ roles }: StaffMember) =>
  roles.length === 0 ? 'No roles' : roles.map((role) => ROLE_TEXTS[role].name).join(', ');

/** `now` is an ISO timestamp. */
export function StaffRows({ members, now }: { members: readonly StaffMember[]; now: string }) {
  const viewer = useViewer();
  const canChangeRoles = useCanCallRoute(updateStaffRoles);
  return (
    <ExpandableRows label="Staff">
      {members.map((member) => {
        const { id, username, name, avatarUrl, roles, hasSecondFactor, isBlocked, lastSeenAt, sessions, approverFrom } =
          member;
        const isMe = id === viewer?.id;
        return (
          <ExpandableRow
            key={id}
            lead={<Avatar name={name} src={avatarUrl} />}
            title={name}
            sub={`@${username}${isMe ? ', you' : ''}`}
            amount={roles.length > 1 ? formatCount(roles.length, 'role') : formatRoles(member)}
            status={hasSecondFactor ? 'Two-factor on' : 'Two-factor off'}
          >
            <DefinitionList
              items={[
                { name: 'Roles', value: formatRoles(member) },
                { name: 'Two-factor authentication', value: hasSecondFactor ? 'On' : 'Off (no access)' },
                { name: 'Logged in', value: sessions === 0 ? 'Not logged in' : formatCount(sessions, 'device') },
                { name: 'Last seen', value: lastSeenAt === null ? 'Never' : formatDayTime(lastSeenAt, now) },
                ...(approverFrom === null
                  ? []
                  : [{ name: 'Can give second approval', value: `From ${formatExactTime(approverFrom)}` }]),
                ...(isBlocked ? [{ name: 'Account', value: 'Blocked' }] : []),
              ]}
            />
            {isMe && <p className="pt-4 text-small text-muted">Only another owner can change your roles.</p>}
            {canChangeRoles && !isMe && <ChangeRolesForm key={roles.join()} member={member} />}
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}

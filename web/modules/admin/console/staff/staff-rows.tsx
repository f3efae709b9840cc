import { OPERATOR_ROLES, type OperatorRole } from '@stagedoor/contract/admin/operator-rights.ts';
import {
  endStaffSessions,
  inviteStaffMember,
  listStaff,
  listStaffChanges,
  type StaffMember,
  sendStaffCode,
  updateStaffRoles,
} from '@stagedoor/contract/admin/staff.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

export const staffQuery = () => apiQuery(listStaff, {});
const STAFF_ROUTES = [listStaff, listStaffChanges];

type RoleCheckboxesProps = { chosen: readonly OperatorRole[]; onChange: (roles: OperatorRole[]) => void };

function RoleCheckboxes({ chosen, onChange }: RoleCheckboxesProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-2 text-small font-semibold">{texts.roles}</legend>
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
    successMessage: ({ username: invitedUsername }) => formatText(texts.staffInvited, { username: invitedUsername }),
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
    <form className="form max-w-120" onSubmit={send} aria-label={texts.inviteStaff}>
      <TextField
        label={texts.usernameLabel}
        hint={texts.inviteStaffHint}
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
        busyText={texts.inviting}
      >
        {texts.invite}
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
      roles.length === 0 ? formatText(texts.staffRemoved, { username }) : formatText(texts.rolesChanged, { username }),
  });
  const endSessions = useAdminAction(endStaffSessions, {
    invalidates: [listStaff],
    successMessage: ({ username }) => formatText(texts.sessionsEnded, { username }),
  });
  const sendCode = useAdminAction(sendStaffCode, {
    invalidates: [listStaffChanges],
    successMessage: ({ username }) => formatText(texts.codeSent, { username }),
  });
  const errorMessage = change.error ?? endSessions.error ?? sendCode.error;
  const isSame = chosen.join() === member.roles.join();
  const save = (to: OperatorRole[]) =>
    change.send({ params: { id: member.id }, body: { from: member.roles, to, reason } });
  return (
    <div className="grid max-w-120 gap-4 pt-5">
      <RoleCheckboxes chosen={chosen} onChange={setChosen} />
      <p className="text-small text-muted">{texts.changeRolesHint}</p>
      {!isSame && (
        <TextField
          {...REASON_FIELD}
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {errorMessage !== undefined && <InlineError message={errorMessage} />}
      <div className="flex flex-wrap gap-3">
        <Button
          variant="ink"
          disabled={isSame || !isValidReason(reason)}
          busy={change.isPending}
          busyText={texts.saving}
          onClick={() => save(chosen)}
        >
          {chosen.length === 0 && !isSame ? texts.removeAllRoles : texts.changeRoles}
        </Button>
        {!member.hasSecondFactor && member.roles.length > 0 && (
          <Button
            busy={sendCode.isPending}
            busyText={texts.sendingCode}
            onClick={() => sendCode.send({ params: { id: member.id } })}
          >
            {texts.sendCode}
          </Button>
        )}
        {member.sessions > 0 && (
          <Button
            busy={endSessions.isPending}
            busyText={texts.endingSessions}
            onClick={() => endSessions.send({ params: { id: member.id } })}
          >
            {texts.logOutEverywhere}
          </Button>
        )}
      </div>
    </div>
  );
}

const formatRoles = ({ roles }: StaffMember) =>
  roles.length === 0 ? texts.noRoles : roles.map((role) => ROLE_TEXTS[role].name).join(', ');

/** `now` is an ISO timestamp. */
export function StaffRows({ members, now }: { members: readonly StaffMember[]; now: string }) {
  const viewer = useViewer();
  const canChangeRoles = useCanCallRoute(updateStaffRoles);
  return (
    <ExpandableRows label={texts.staff}>
      {members.map((member) => {
        const { id, username, name, avatarUrl, roles, hasSecondFactor, isBlocked, lastSeenAt, sessions, approverFrom } =
          member;
        const isMe = id === viewer?.id;
        return (
          <ExpandableRow
            key={id}
            lead={<Avatar name={name} src={avatarUrl} />}
            title={name}
            sub={`@${username}${isMe ? texts.youSuffix : ''}`}
            amount={roles.length > 1 ? formatCount(roles.length, 'role') : formatRoles(member)}
            status={hasSecondFactor ? texts.twoFactorOn : texts.twoFactorOff}
          >
            <DefinitionList
              items={[
                { name: 'Roles', value: formatRoles(member) },
                { name: texts.twoFactorAuthentication, value: hasSecondFactor ? 'On' : texts.offNoAccess },
                { name: texts.loggedIn, value: sessions === 0 ? texts.notLoggedIn : formatCount(sessions, 'device') },
                { name: texts.lastSeen, value: lastSeenAt === null ? 'Never' : formatDayTime(lastSeenAt, now) },
                ...(approverFrom === null
                  ? []
                  : [{ name: texts.canGiveSecondApproval, value: `From ${formatExactTime(approverFrom)}` }]),
                ...(isBlocked ? [{ name: 'Account', value: 'Blocked' }] : []),
              ]}
            />
            {isMe && <p className="pt-4 text-small text-muted">{texts.ownRolesHint}</p>}
            {canChangeRoles && !isMe && <ChangeRolesForm key={roles.join()} member={member} />}
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}

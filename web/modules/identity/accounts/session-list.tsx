import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type Session,
} from '@stagedoor/contract/identity/accounts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { formatExactTime } from '../../../platform/dates.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { routeKey, useApi } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Glyph, Row, Rows } from '../../../ui/rows.tsx';
import * as texts from './texts.ts';

function SessionRow({ session, onEnd, isEnding }: { session: Session; onEnd: () => void; isEnding: boolean }) {
  const { device, displayMode, lastSeenAt, isCurrent } = session;
  const lastSeen = isCurrent ? texts.thisDevice : formatText(texts.lastSeen, { time: formatExactTime(lastSeenAt) });
  return (
    <Row
      lead={<Glyph icon="device" />}
      title={device}
      sub={displayMode === 'standalone' ? formatText(texts.installedApp, { activity: lastSeen }) : lastSeen}
      end={
        isCurrent ? undefined : (
          <Button aria-label={formatText(texts.logOutDevice, { device })} busy={isEnding} onClick={onEnd}>
            {texts.logOutButton}
          </Button>
        )
      }
    />
  );
}

export function SessionList() {
  const client = useQueryClient();
  const { data: sessions } = useApi(listSessions, {});
  const refresh = () => client.invalidateQueries({ queryKey: routeKey(listSessions) });
  const revoke = useApiMutation(revokeSession, { showSuccessMessage: true, onSettled: refresh });
  const revokeOthers = useApiMutation(revokeOtherSessions, { showSuccessMessage: true, onSettled: refresh });
  return (
    <>
      <Rows label={texts.devices}>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() => revoke.mutate({ params: { id: session.id } })}
            isEnding={revoke.isPending && revoke.variables.params.id === session.id}
          />
        ))}
      </Rows>
      {sessions.length > 1 && (
        <Button
          className="mt-4"
          busy={revokeOthers.isPending}
          busyText={texts.loggingOut}
          onClick={() => revokeOthers.mutate({})}
        >
          {texts.logOutAllOtherDevices}
        </Button>
      )}
    </>
  );
}

import { listSessions, revokeOtherSessions, revokeSession, type Session } from '@stagedoor/contract/accounts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { formatExact } from '../../kernel/dates.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { routeKey, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Glyph, Row, Rows } from '../../ui/rows.tsx';

function SessionRow({ session, onEnd, isEnding }: { session: Session; onEnd: () => void; isEnding: boolean }) {
  const { device, displayMode, lastSeenAt, isCurrent } = session;
  const seen = isCurrent ? 'This device' : `Last seen ${formatExact(lastSeenAt)}`;
  return (
    <Row
      lead={<Glyph icon="device" />}
      title={device}
      sub={displayMode === 'standalone' ? `${seen} · installed app` : seen}
      end={
        isCurrent ? undefined : (
          <Button aria-label={`Log out ${device}`} busy={isEnding} onClick={onEnd}>
            Log out
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
  const end = useApiMutation(revokeSession, { showSuccessMessage: true, onSettled: refresh });
  const endOthers = useApiMutation(revokeOtherSessions, { showSuccessMessage: true, onSettled: refresh });
  return (
    <>
      <Rows label="Devices">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() => end.mutate({ params: { id: session.id } })}
            isEnding={end.isPending && end.variables.params.id === session.id}
          />
        ))}
      </Rows>
      {sessions.length > 1 && (
        <Button
          className="mt-4"
          busy={endOthers.isPending}
          busyText="Logging out…"
          onClick={() => endOthers.mutate({})}
        >
          Log out all other devices
        </Button>
      )}
    </>
  );
}

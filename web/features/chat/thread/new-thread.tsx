import { profilePath } from '@stagedoor/contract/addresses.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import type { conversationInfo } from '@stagedoor/contract/chat.ts';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isolated } from '../../../kernel/bidi.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Composer } from '../composer/composer.tsx';
import { pendingIn } from '../outbox/queue.ts';
import { onSent, useEntries } from '../outbox/use-outbox.ts';
import { useSend } from '../outbox/use-send.ts';
import { useParts } from '../parts.ts';
import { refusalOfInfo } from '../words.ts';
import { ThreadLog } from './thread-log.tsx';
import { ThreadTop } from './thread-view.tsx';

type Info = ResponseOf<typeof conversationInfo>;
const NOTHING = { messages: [], hasOlder: false, hasNewer: false, knownTo: 0, epoch: 0 };

export function NewThread({ info }: { info: Info }) {
  const { base, side, Tip } = useParts();
  const navigate = useNavigate();
  const send = useSend();
  const { person, canSend, isRequest } = info;
  const thread = `with:${person.id}`;
  const isWaiting = pendingIn(useEntries(), thread, new Set()).some(({ state }) => state === 'waiting');
  useEffect(
    () =>
      onSent((entry, message) => {
        if (entry.target.kind === 'person' && entry.target.id === person.id)
          void navigate(`${base}/${message.conversationId}`, { replace: true });
      }),
    [navigate, base, person.id],
  );
  const refusal = refusalOfInfo(info);
  const beginning = (
    <div className="grid justify-items-center gap-3 px-6 py-10 text-center">
      <Avatar name={person.name} src={person.avatarUrl} size="l" />
      <p className="max-w-[36ch] text-note text-muted">
        {isRequest
          ? `Your first message to ${isolated(person.name)} is sent as a request. You can include a tip.`
          : `Send ${isolated(person.name)} a message.`}
      </p>
    </div>
  );
  return (
    <section className="conv" aria-label={`Chat with ${person.name}`}>
      <ThreadTop person={{ ...person, isVerified: false }} status={`@${person.username}`} />
      <ThreadLog
        thread={thread}
        window={NOTHING}
        conversation={undefined}
        other={person.name}
        found={undefined}
        beginning={beginning}
      />
      {canSend && !(isRequest && isWaiting) ? (
        <Composer
          thread={thread}
          canAsk={side === 'creator'}
          isTextOnly={isRequest}
          onSend={(written) => send({ kind: 'person', id: person.id }, written)}
          onTyping={() => undefined}
          placeholder={`Message ${person.name}`}
          tip={
            side === 'fan' && (
              <Tip creatorId={person.id} creatorName={person.name} returnTo={`${base}?with=${person.id}`} />
            )
          }
        />
      ) : (
        <div className="write write__stop" role="status">
          <p className="font-semibold">{canSend ? 'Sending your request…' : refusal}</p>
          {side === 'fan' && <Button href={profilePath(person.username)}>View profile</Button>}
        </div>
      )}
    </section>
  );
}

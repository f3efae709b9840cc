/**
 * A creator's setting for who may start a conversation (row E6). It is saved immediately and reverts when the server
 * refuses it.
 */
import { CHAT_RULES, getChatSettings, updateChatSettings } from '@stagedoor/contract/chat-terms.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { showToast } from '../../../kernel/outcome.ts';
import { apiQuery } from '../../../kernel/query.ts';
import { RadioRows } from '../../../ui/choice.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';

export const chatSettingsQuery = () => apiQuery(getChatSettings, {});

const WORDS = {
  open: {
    title: 'Everyone',
    sub: 'Whoever finds you can write to you at once.',
    said: 'Everyone can write to you now.',
  },
  request: {
    title: 'By request',
    sub: 'A fan’s first message is a request. You accept or decline it.',
    said: 'First messages are requests now.',
  },
  followers: {
    title: 'Followers only',
    sub: 'Your followers can write to you at once, nobody else can.',
    said: 'Only your followers can begin a chat now.',
  },
} as const;

export function ChatRule() {
  const client = useQueryClient();
  const settings = useQuery(chatSettingsQuery());
  const change = useApiMutation(updateChatSettings, {
    // Changes are sent one after the other, so that the last one wins.
    scope: { id: 'chat-rule' },
    onSuccess: (saved) => {
      client.setQueryData(chatSettingsQuery().queryKey, saved);
      void showToast(WORDS[saved.rule].said, 'success', { id: 'chat-rule' });
    },
  });
  if (!settings.data)
    return settings.isError ? (
      <ErrorState onRetry={() => void settings.refetch()} busy={settings.isFetching} />
    ) : (
      <SkeletonRows count={3} />
    );
  const rule = change.isPending ? change.variables.body.rule : settings.data.rule;
  return (
    <>
      <RadioRows
        plain
        name="chatRule"
        label="Who can write to you"
        value={rule}
        choices={CHAT_RULES.map((value) => ({ value, title: WORDS[value].title, sub: WORDS[value].sub }))}
        onValueChange={(value) => {
          const wish = CHAT_RULES.find((each) => each === value);
          if (wish && wish !== rule) change.mutate({ body: { rule: wish } });
        }}
      />
      <p className="mt-4 text-note text-muted">Chats that have begun go on as they are.</p>
    </>
  );
}

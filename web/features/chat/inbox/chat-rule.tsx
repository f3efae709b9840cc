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
    sub: 'Anyone can message you.',
    said: 'Anyone can message you now.',
  },
  request: {
    title: 'Requests first',
    sub: 'New fans send a request. You accept or decline.',
    said: 'New chats now start as requests.',
  },
  followers: {
    title: 'Followers only',
    sub: 'Only followers can message you.',
    said: 'Only followers can message you now.',
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
        label="Who can message you"
        value={rule}
        choices={CHAT_RULES.map((value) => ({ value, title: WORDS[value].title, sub: WORDS[value].sub }))}
        onValueChange={(value) => {
          const wish = CHAT_RULES.find((each) => each === value);
          if (wish && wish !== rule) change.mutate({ body: { rule: wish } });
        }}
      />
      <p className="mt-4 text-note text-muted">Existing chats aren’t affected.</p>
    </>
  );
}

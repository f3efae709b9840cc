/**
 * A creator's setting for who may start a conversation (row E6). It is saved immediately and reverts when the server
 * refuses it.
 */
import { CHAT_RULES, getChatSettings, updateChatSettings } from '@stagedoor/contract/messaging/chat-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../platform/feedback.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { RadioRows } from '../../../../ui/choice.tsx';
import { ErrorState, SkeletonRows } from '../../../../ui/states.tsx';

export const chatSettingsQuery = () => apiQuery(getChatSettings, {});

const RULE_TEXTS = {
  open: {
    title: 'Everyone',
    sub: 'Anyone can message you.',
    savedMessage: 'Anyone can message you now.',
  },
  request: {
    title: 'Requests first',
    sub: 'New fans send a request. You accept or decline.',
    savedMessage: 'New chats now start as requests.',
  },
  followers: {
    title: 'Followers only',
    sub: 'Only followers can message you.',
    savedMessage: 'Only followers can message you now.',
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
      void showToast(RULE_TEXTS[saved.rule].savedMessage, 'success', { id: 'chat-rule' });
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
        choices={CHAT_RULES.map((value) => ({ value, title: RULE_TEXTS[value].title, sub: RULE_TEXTS[value].sub }))}
        onValueChange={(value) => {
          const newRule = CHAT_RULES.find((each) => each === value);
          if (newRule && newRule !== rule) change.mutate({ body: { rule: newRule } });
        }}
      />
      <p className="mt-4 text-note text-muted">Existing chats aren’t affected.</p>
    </>
  );
}

/**
 * A creator's setting for who may start a conversation (row E6). It is saved immediately and reverts when the server
 * refuses it.
 */
import { CHAT_RULES, getChatSettings, updateChatSettings } from '@stagedoor/contract/messaging/chat-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { showToast } from '../../../../platform/feedback.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { findOptionTierId, useSubscriberOptions } from '../../../../platform/subscriber-options.ts';
import { RadioRows } from '../../../../ui/choice.tsx';
import { SelectField } from '../../../../ui/field.tsx';
import { ErrorState, SkeletonRows } from '../../../../ui/states.tsx';
import * as texts from '../texts.ts';

export const chatSettingsQuery = () => apiQuery(getChatSettings, {});

const RULE_TEXTS = {
  open: {
    title: texts.everyone,
    sub: texts.everyoneHint,
    savedMessage: texts.everyoneSaved,
  },
  request: {
    title: texts.requestsFirst,
    sub: texts.requestsFirstHint,
    savedMessage: texts.requestsFirstSaved,
  },
  followers: {
    title: texts.followersOnly,
    sub: texts.followersOnlyHint,
    savedMessage: texts.followersOnlySaved,
  },
  subscribers: {
    title: texts.subscribersOnly,
    sub: texts.subscribersOnlyHint,
    savedMessage: texts.subscribersOnlySaved,
  },
} as const;

export function ChatRule() {
  const client = useQueryClient();
  const settings = useQuery(chatSettingsQuery());
  const options = useSubscriberOptions();
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
  const { rule, tierId = null } = change.isPending ? change.variables.body : settings.data;
  // Without tiers there are no subscribers, so the rule is only shown while it is set.
  const rules = CHAT_RULES.filter((each) => each !== 'subscribers' || options.length > 0 || rule === each);
  return (
    <>
      <RadioRows
        plain
        name="chatRule"
        label={texts.whoCanMessageYou}
        value={rule}
        choices={rules.map((value) => ({ value, title: RULE_TEXTS[value].title, sub: RULE_TEXTS[value].sub }))}
        onValueChange={(value) => {
          const newRule = CHAT_RULES.find((each) => each === value);
          if (newRule && newRule !== rule) change.mutate({ body: { rule: newRule } });
        }}
      />
      {rule === 'subscribers' && options.length > 0 && (
        <SelectField
          className="pt-4"
          label={texts.whichSubscribers}
          options={options}
          value={tierId ?? ''}
          onChange={(event) =>
            change.mutate({ body: { rule, tierId: findOptionTierId(options, event.currentTarget.value) } })
          }
        />
      )}
      <p className="mt-4 text-note text-muted">{texts.existingChatsUnaffected}</p>
    </>
  );
}

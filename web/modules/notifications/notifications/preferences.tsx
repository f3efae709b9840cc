/** Notification settings (row I2). Changes apply immediately and revert if the server refuses them. */
import {
  getNotificationPreferences,
  type PreferenceKey,
  updateNotificationPreference,
} from '@stagedoor/contract/notifications/notification-preferences.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { SectionHead } from '../../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

export const preferencesQuery = () => apiQuery(getNotificationPreferences, {});

const PREFERENCE_LABELS: Readonly<Record<PreferenceKey, { title: string; detail: string }>> = {
  newPost: { title: texts.newPosts, detail: texts.newPostsHint },
  chatApprove: { title: texts.messageRequests, detail: texts.acceptedRequestHint },
  creatorOnline: { title: texts.onlineNow, detail: texts.onlineNowHint },
  newMessage: { title: texts.messages, detail: texts.messagesHint },
  incomingVideoCall: { title: texts.calls, detail: texts.callsHint },
  chatRequest: { title: texts.messageRequests, detail: texts.messageRequestsHint },
  tip: { title: texts.tips, detail: texts.groupedDaily },
  unlockChatMedia: { title: texts.chatUnlocks, detail: texts.groupedDaily },
  unlockPost: { title: texts.postUnlocks, detail: texts.groupedDaily },
  newSubscriber: { title: texts.newSubscribers, detail: texts.groupedDaily },
  subscriberLeft: { title: texts.endedSubscriptions, detail: texts.groupedDaily },
};
const CHANNELS = [
  { channel: 'push', label: texts.push },
  { channel: 'inApp', label: 'In-app' },
  { channel: 'email', label: texts.email },
] as const;
/** Notifications that cannot be turned off. They are always shown in the app and mailed. */
const FIXED_PREFERENCES = [
  { title: texts.money, detail: texts.moneyHint },
  { title: texts.loginAndSecurity, detail: texts.loginAndSecurityHint },
];

function PreferenceHeading({ title, detail }: { title: string; detail: string }) {
  return (
    <th scope="row">
      {title}
      <small>{detail}</small>
    </th>
  );
}

type Channel = (typeof CHANNELS)[number]['channel'];
type PendingPreferences = Readonly<Record<string, { isOn: boolean; sequence: number }>>;
const toPendingKey = (key: PreferenceKey, channel: Channel) => `${key} ${channel}`;

/**
 * Sends changes one after another in the order of the presses. A checkbox shows the pending value until the server
 * responds.
 */
function usePendingPreferences() {
  const client = useQueryClient();
  const { mutateAsync } = useApiMutation(updateNotificationPreference, {
    onSuccess: (saved) => client.setQueryData(preferencesQuery().queryKey, saved),
  });
  const [pending, setPending] = useState<PendingPreferences>({});
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const lastSequence = useRef(0);
  const changePreference = (key: PreferenceKey, channel: Channel, isOn: boolean) => {
    const name = toPendingKey(key, channel);
    lastSequence.current += 1;
    const sequence = lastSequence.current;
    setPending((before) => ({ ...before, [name]: { isOn, sequence } }));
    const removePending = () =>
      setPending(({ [name]: latest, ...others }) =>
        latest && latest.sequence !== sequence ? { ...others, [name]: latest } : others,
      );
    queue.current = queue.current
      .then(() => mutateAsync({ body: { [key]: { [channel]: isOn } } }))
      .catch(() => undefined)
      .then(removePending);
  };
  return { pending, changePreference };
}

function PreferenceTable() {
  const { data, isError, refetch } = useQuery(preferencesQuery());
  const { pending, changePreference } = usePendingPreferences();
  if (!data) return isError ? <ErrorState onRetry={() => void refetch()} /> : <SkeletonRows count={5} />;
  return (
    <table className="prefs">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">{texts.notification}</span>
          </th>
          {CHANNELS.map(({ channel, label }) => (
            <th key={channel} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {data.data.map(({ key, ...channels }) => (
          <tr key={key}>
            <PreferenceHeading {...PREFERENCE_LABELS[key]} />
            {CHANNELS.map(({ channel, label }) => (
              <td key={channel}>
                <label>
                  <input
                    className="box"
                    type="checkbox"
                    aria-label={`${PREFERENCE_LABELS[key].title}, ${label}`}
                    checked={pending[toPendingKey(key, channel)]?.isOn ?? channels[channel]}
                    onChange={({ currentTarget }) => changePreference(key, channel, currentTarget.checked)}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
        {FIXED_PREFERENCES.map((preference) => (
          <tr key={preference.title}>
            <PreferenceHeading {...preference} />
            {CHANNELS.map(({ channel, label }) => (
              <td key={channel}>
                <label>
                  <input
                    className="box"
                    type="checkbox"
                    aria-label={`${preference.title}, ${label}`}
                    checked
                    disabled
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function PreferencesSection({ isRequested }: { isRequested: boolean }) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isRequested) section.current?.focus({ preventScroll: true });
  }, [isRequested]);
  return (
    <section
      ref={section}
      id="preferences"
      tabIndex={-1}
      className="min-w-0 scroll-mt-18 outline-none lg:scroll-mt-6"
      aria-labelledby={id}
    >
      <SectionHead id={id} title={texts.notificationSettings} />
      <PreferenceTable />
    </section>
  );
}

/** Notification settings (row I2). Changes apply immediately and revert if the server refuses them. */
import {
  changeNotificationPreference,
  notificationPreferences,
  type PreferenceKey,
} from '@stagedoor/contract/notification-preferences.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useApiMutation } from '../../kernel/mutation.ts';
import { apiQuery } from '../../kernel/query.ts';
import { SectionHead } from '../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';

export const preferencesQuery = () => apiQuery(notificationPreferences, {});

const WORDS: Readonly<Record<PreferenceKey, { title: string; more: string }>> = {
  newPost: { title: 'New posts', more: 'From creators you follow, grouped daily' },
  chatApprove: { title: 'Message requests', more: 'When a creator accepts your request' },
  creatorOnline: { title: 'Online now', more: 'At most every 6 hours per creator' },
  newMessage: { title: 'Messages', more: 'Unread message count' },
  incomingVideoCall: { title: 'Calls', more: 'Incoming and missed calls' },
  chatRequest: { title: 'Message requests', more: 'When fans ask to message you' },
  tip: { title: 'Tips', more: 'Grouped daily' },
  unlockChatMedia: { title: 'Chat unlocks', more: 'Grouped daily' },
  unlockPost: { title: 'Post unlocks', more: 'Grouped daily' },
};
const WAYS = [
  { way: 'push', label: 'Push' },
  { way: 'inApp', label: 'In-app' },
  { way: 'email', label: 'Email' },
] as const;
/** Notifications that cannot be turned off. They are always shown in the app and mailed. */
const ALWAYS = [
  { title: 'Money', more: 'Deposits, refunds, payouts and payout methods. Always on' },
  { title: 'Login and security', more: 'Password, two-factor authentication, new devices. Always on' },
];

function Head({ title, more }: { title: string; more: string }) {
  return (
    <th scope="row">
      {title}
      <small>{more}</small>
    </th>
  );
}

type Way = (typeof WAYS)[number]['way'];
type Wishes = Readonly<Record<string, { isOn: boolean; turn: number }>>;
const nameOf = (key: PreferenceKey, way: Way) => `${key} ${way}`;

/**
 * Sends changes one after another in the order of the presses. A checkbox shows the pending value until the server
 * responds.
 */
function useWishes() {
  const client = useQueryClient();
  const { mutateAsync } = useApiMutation(changeNotificationPreference, {
    onSuccess: (saved) => client.setQueryData(preferencesQuery().queryKey, saved),
  });
  const [wishes, setWishes] = useState<Wishes>({});
  const line = useRef<Promise<unknown>>(Promise.resolve());
  const turns = useRef(0);
  const wish = (key: PreferenceKey, way: Way, isOn: boolean) => {
    const name = nameOf(key, way);
    turns.current += 1;
    const turn = turns.current;
    setWishes((before) => ({ ...before, [name]: { isOn, turn } }));
    const settle = () =>
      setWishes(({ [name]: last, ...others }) => (last && last.turn !== turn ? { ...others, [name]: last } : others));
    line.current = line.current
      .then(() => mutateAsync({ body: { [key]: { [way]: isOn } } }))
      .catch(() => undefined)
      .then(settle);
  };
  return { wishes, wish };
}

function Table() {
  const { data, isError, refetch } = useQuery(preferencesQuery());
  const { wishes, wish } = useWishes();
  if (!data) return isError ? <ErrorState onRetry={() => void refetch()} /> : <SkeletonRows count={5} />;
  return (
    <table className="prefs">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Notification</span>
          </th>
          {WAYS.map(({ way, label }) => (
            <th key={way} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {data.data.map(({ key, ...ways }) => (
          <tr key={key}>
            <Head {...WORDS[key]} />
            {WAYS.map(({ way, label }) => (
              <td key={way}>
                <label>
                  <input
                    className="box"
                    type="checkbox"
                    aria-label={`${WORDS[key].title}, ${label}`}
                    checked={wishes[nameOf(key, way)]?.isOn ?? ways[way]}
                    onChange={({ currentTarget }) => wish(key, way, currentTarget.checked)}
                  />
                </label>
              </td>
            ))}
          </tr>
        ))}
        {ALWAYS.map((words) => (
          <tr key={words.title}>
            <Head {...words} />
            {WAYS.map(({ way, label }) => (
              <td key={way}>
                <label>
                  <input className="box" type="checkbox" aria-label={`${words.title}, ${label}`} checked disabled />
                </label>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Preferences({ isAsked }: { isAsked: boolean }) {
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsked) section.current?.focus({ preventScroll: true });
  }, [isAsked]);
  return (
    <section
      ref={section}
      id="preferences"
      tabIndex={-1}
      className="min-w-0 scroll-mt-18 outline-none lg:scroll-mt-6"
      aria-labelledby={id}
    >
      <SectionHead id={id} title="Notification settings" />
      <Table />
    </section>
  );
}

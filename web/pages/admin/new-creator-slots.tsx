import { adminUserPath } from '@stagedoor/contract/admin/addresses.ts';
import {
  CANDIDATES_SHOWN,
  getNewCreatorSlots,
  type NewCreatorCandidate,
} from '@stagedoor/contract/admin/new-creator-slots.ts';
import { NEW_CREATOR_SLOTS } from '@stagedoor/contract/content/new-creator-slots.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { formatCount, formatShortDay } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { SectionHead } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'New creators' });

const load = createAdminLoad(({ client }) =>
  client.ensureQueryData({ ...apiQuery(getNewCreatorSlots, {}), revalidateIfStale: true }),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function DrawnCreators({ drawn, now, label }: { drawn: readonly NewCreatorCandidate[]; now: string; label: string }) {
  return (
    <Rows label={label}>
      {drawn.map(({ id, username, name, joinedAt, followerCount, postCount, slot }) => (
        <Row
          key={id}
          title={name}
          href={adminUserPath(id)}
          sub={`Joined ${formatShortDay(joinedAt, now)} · ${formatCount(followerCount, 'follower')} · ${formatCount(postCount, 'post')}`}
          end={
            <span className="flex items-baseline gap-4 text-small">
              {slot !== null && <span className="num font-semibold">Spot {slot}</span>}
              <UiLink href={profilePath(username)} className="link relative z-1 inline-flex min-h-11 items-center">
                Profile<span className="sr-only"> of {name}</span>
              </UiLink>
            </span>
          }
        />
      ))}
    </Rows>
  );
}

export default function NewCreatorSlotsPage() {
  const { now } = useLoaderData<typeof loader>();
  const { day, count, data } = useApi(getNewCreatorSlots, {});
  const withSlot = data.filter(({ slot }) => slot !== null);
  const others = data.filter(({ slot }) => slot === null);
  return (
    <AdminList title="New creators">
      <p className="max-w-[68ch] text-muted">
        One of every {NEW_CREATOR_SLOTS.every} spots on the home page goes to a new creator: started in the last{' '}
        {NEW_CREATOR_SLOTS.days} days, verified, with at least one post and up to {NEW_CREATOR_SLOTS.followers}{' '}
        followers. Up to {NEW_CREATOR_SLOTS.max} are featured each day. They are drawn by the hash of the day and the
        creator’s number, so it can’t be manipulated and anyone can verify it.{' '}
        <UiLink href={`${PUBLIC_PATHS.discovery}#newcomers`} className="link">
          Public explanation
        </UiLink>
      </p>
      <SectionHead
        title={`Drawn for ${formatShortDay(`${day}T00:00:00Z`, now)}`}
        end={`${count.toLocaleString('en-US')} in the draw`}
      />
      {data.length === 0 ? (
        <EmptyState line="No new creators today" />
      ) : (
        <DrawnCreators drawn={withSlot} now={now} label="Featured today" />
      )}
      {others.length > 0 && (
        <>
          <SectionHead
            title="Not featured today"
            end={count > CANDIDATES_SHOWN ? `First ${CANDIDATES_SHOWN} in the draw` : undefined}
          />
          <DrawnCreators drawn={others} now={now} label="Not featured today" />
        </>
      )}
    </AdminList>
  );
}

import { profilePath } from '@stagedoor/contract/addresses.ts';
import { personDeskPath } from '@stagedoor/contract/desk-addresses.ts';
import { FAIR_SHARE } from '@stagedoor/contract/fair-share.ts';
import { DRAWN_SHOWN, type Drawn, newcomersDraw } from '@stagedoor/contract/newcomers-desk.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { formatShortDay, plural } from '../../kernel/dates.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { SectionHead } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'New creators' });

const load = deskLoad(({ client }) =>
  client.ensureQueryData({ ...apiQuery(newcomersDraw, {}), revalidateIfStale: true }),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Draw({ drawn, now, label }: { drawn: readonly Drawn[]; now: string; label: string }) {
  return (
    <Rows label={label}>
      {drawn.map(({ id, username, name, joinedAt, followerCount, postCount, place }) => (
        <Row
          key={id}
          title={name}
          href={personDeskPath(id)}
          sub={`Joined ${formatShortDay(joinedAt, now)} · ${plural(followerCount, 'follower')} · ${plural(postCount, 'post')}`}
          end={
            <span className="flex items-baseline gap-4 text-small">
              {place !== null && <span className="num font-semibold">Spot {place}</span>}
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

export default function Newcomers() {
  const { now } = useLoaderData<typeof loader>();
  const { day, count, data } = useApi(newcomersDraw, {});
  const placed = data.filter(({ place }) => place !== null);
  const others = data.filter(({ place }) => place === null);
  return (
    <DeskList title="New creators">
      <p className="max-w-[68ch] text-muted">
        One of every {FAIR_SHARE.every} spots on the home page goes to a new creator: started in the last{' '}
        {FAIR_SHARE.days} days, verified, with at least one post and up to {FAIR_SHARE.followers} followers. Up to{' '}
        {FAIR_SHARE.most} are featured each day. They are drawn by the hash of the day and the creator’s number, so it
        can’t be manipulated and anyone can verify it.{' '}
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
        <Draw drawn={placed} now={now} label="Featured today" />
      )}
      {others.length > 0 && (
        <>
          <SectionHead
            title="Not featured today"
            end={count > DRAWN_SHOWN ? `First ${DRAWN_SHOWN} in the draw` : undefined}
          />
          <Draw drawn={others} now={now} label="Not featured today" />
        </>
      )}
    </DeskList>
  );
}

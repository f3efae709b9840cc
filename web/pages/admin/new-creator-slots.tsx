import { adminUserPath } from '@stagedoor/contract/admin/addresses.ts';
import {
  CANDIDATES_SHOWN,
  getNewCreatorSlots,
  type NewCreatorCandidate,
} from '@stagedoor/contract/admin/new-creator-slots.ts';
import { NEW_CREATOR_SLOTS } from '@stagedoor/contract/content/new-creator-slots.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { formatCount, formatShortDay } from '../../platform/dates.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { formatNodes } from '../../ui/format-nodes.ts';
import { SectionHead } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.newCreators });

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
          sub={formatText(texts.creatorDetails, {
            joinedAt: formatShortDay(joinedAt, now),
            followerCount: formatCount(followerCount, 'follower'),
            postCount: formatCount(postCount, 'post'),
          })}
          end={
            <span className="flex items-baseline gap-4 text-small">
              {slot !== null && <span className="num font-semibold">{formatText(texts.spotNumber, { slot })}</span>}
              <UiLink href={profilePath(username)} className="link relative z-1 inline-flex min-h-11 items-center">
                {formatNodes(texts.profileLink, {
                  owner: <span className="sr-only"> {formatText(texts.ofCreator, { name })}</span>,
                })}
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
    <AdminList title={texts.newCreators}>
      <p className="max-w-[68ch] text-muted">
        {formatNodes(texts.newCreatorSpotsIntro, {
          every: NEW_CREATOR_SLOTS.every,
          days: NEW_CREATOR_SLOTS.days,
          followers: NEW_CREATOR_SLOTS.followers,
          max: NEW_CREATOR_SLOTS.max,
          link: (
            <UiLink href={`${PUBLIC_PATHS.discovery}#newcomers`} className="link">
              {texts.publicExplanation}
            </UiLink>
          ),
        })}
      </p>
      <SectionHead
        title={formatText(texts.drawnForDay, { day: formatShortDay(`${day}T00:00:00Z`, now) })}
        end={formatText(texts.inTheDraw, { count: count.toLocaleString('en-US') })}
      />
      {data.length === 0 ? (
        <EmptyState line={texts.noNewCreatorsToday} />
      ) : (
        <DrawnCreators drawn={withSlot} now={now} label={texts.featuredToday} />
      )}
      {others.length > 0 && (
        <>
          <SectionHead
            title={texts.notFeaturedToday}
            end={
              count > CANDIDATES_SHOWN ? formatText(texts.firstInTheDraw, { shownCount: CANDIDATES_SHOWN }) : undefined
            }
          />
          <DrawnCreators drawn={others} now={now} label={texts.notFeaturedToday} />
        </>
      )}
    </AdminList>
  );
}

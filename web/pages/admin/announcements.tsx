import { createAnnouncement } from '@stagedoor/contract/admin/announcements.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { AnnouncementForm } from '../../modules/admin/console/announcements/announcement-form.tsx';
import { announcementsQuery } from '../../modules/admin/console/announcements/announcement-labels.ts';
import { AnnouncementRows } from '../../modules/admin/console/announcements/rows.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { useCanCallRoute } from '../../platform/operator.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { FocusedHeading, SectionHead } from '../../ui/label.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.announcements });

const load = createAdminLoad(({ client }) =>
  awaitOnServer(client.ensureInfiniteQueryData({ ...announcementsQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function AnnouncementList({ now }: { now: string }) {
  const query = useInfiniteQuery(announcementsQuery());
  if (query.isError && !query.data) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  if (!query.data) return <SkeletonRows count={3} />;
  const all = query.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) return <EmptyState line={texts.noAnnouncementsYet} />;
  return (
    <>
      <AnnouncementRows announcements={all} now={now} />
      {query.hasNextPage && <Pager onMore={() => void query.fetchNextPage()} busy={query.isFetchingNextPage} />}
    </>
  );
}

export default function AnnouncementsPage() {
  const { now } = useLoaderData<typeof loader>();
  const canWrite = useCanCallRoute(createAnnouncement);
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 pb-8 lg:pt-8">
      <FocusedHeading>{texts.announcements}</FocusedHeading>
      <p className="text-small text-muted">{texts.announcementsIntro}</p>
      <AnnouncementList now={now} />
      {canWrite && (
        <section aria-labelledby="write" className="grid gap-3 pt-4">
          <SectionHead id="write" title={texts.newAnnouncement} />
          <AnnouncementForm />
        </section>
      )}
    </div>
  );
}

import { announce } from '@stagedoor/contract/announcements-desk.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { AnnouncementRows } from '../../features/desk/announcements/rows.tsx';
import { announcementsQuery } from '../../features/desk/announcements/words.ts';
import { WriteAnnouncement } from '../../features/desk/announcements/write.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { useMay } from '../../kernel/operator.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { FocusHead, SectionHead } from '../../ui/label.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Announcements' });

const load = deskLoad(({ client }) =>
  begin(client.ensureInfiniteQueryData({ ...announcementsQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Said({ now }: { now: string }) {
  const query = useInfiniteQuery(announcementsQuery());
  if (query.isError && !query.data) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  if (!query.data) return <SkeletonRows count={3} />;
  const all = query.data.pages.flatMap(({ data }) => data);
  if (all.length === 0) return <EmptyState line="No announcements yet" />;
  return (
    <>
      <AnnouncementRows announcements={all} now={now} />
      {query.hasNextPage && <Pager onMore={() => void query.fetchNextPage()} busy={query.isFetchingNextPage} />}
    </>
  );
}

export default function AnnouncementsDesk() {
  const { now } = useLoaderData<typeof loader>();
  const mayWrite = useMay(announce);
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 pb-8 lg:pt-8">
      <FocusHead>Announcements</FocusHead>
      <p className="text-small text-muted">
        Shown at the top of every page for logged-in users until they expire. Announcements can’t be edited: end one and
        write a new one.
      </p>
      <Said now={now} />
      {mayWrite && (
        <section aria-labelledby="write" className="grid gap-3 pt-4">
          <SectionHead id="write" title="New announcement" />
          <WriteAnnouncement />
        </section>
      )}
    </div>
  );
}

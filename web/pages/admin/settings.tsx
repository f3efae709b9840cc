/** Fees and limits of payouts, with who changed what. */
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { changesQuery, SettingsForm, SettingsHistory, settingsQuery } from '../../features/desk/settings/form.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { FocusHead, SectionHead } from '../../ui/label.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Fees and limits' });

const load = deskLoad(async ({ client }) => {
  await client.ensureQueryData({ ...settingsQuery(), revalidateIfStale: true });
  await begin(client.ensureInfiniteQueryData({ ...changesQuery(), revalidateIfStale: true }));
});
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function SettingsDesk() {
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 lg:pt-8">
      <FocusHead>Fees and limits</FocusHead>
      <p className="text-small text-muted">
        They hold for what is requested from now on: what was requested before keeps its terms.
      </p>
      <SettingsForm />
      <section aria-labelledby="changes" className="grid gap-3 pt-4">
        <SectionHead id="changes" title="Who changed what" />
        <SettingsHistory />
      </section>
    </div>
  );
}

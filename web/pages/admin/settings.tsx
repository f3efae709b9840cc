/** Fees and limits of payouts, and who the public texts say we are (row B9), each with who changed what. */
import { listAudit } from '@stagedoor/contract/audit.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { factsChangesQuery, factsQuery, OperatorForm, OperatorHistory } from '../../features/desk/operator/form.tsx';
import { changesQuery, SettingsForm, SettingsHistory, settingsQuery } from '../../features/desk/settings/form.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { rolesOf, useMay } from '../../kernel/operator.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { FocusHead, SectionHead } from '../../ui/label.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Fees and limits' });

const load = deskLoad(async ({ client }) => {
  await Promise.all([
    client.ensureQueryData({ ...settingsQuery(), revalidateIfStale: true }),
    client.ensureQueryData({ ...factsQuery(), revalidateIfStale: true }),
  ]);
  if (!operatorMay(await rolesOf(client), listAudit)) return;
  await begin(
    client.ensureInfiniteQueryData({ ...changesQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...factsChangesQuery(), revalidateIfStale: true }),
  );
});
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function SettingsDesk() {
  const mayReadChanges = useMay(listAudit);
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 lg:pt-8">
      <FocusHead>Fees and limits</FocusHead>
      <p className="text-small text-muted">
        They hold for what is requested from now on: what was requested before keeps its terms.
      </p>
      <SettingsForm />
      {mayReadChanges && (
        <section aria-labelledby="changes" className="grid gap-3 pt-4">
          <SectionHead id="changes" title="Who changed what" />
          <SettingsHistory />
        </section>
      )}
      <section id="who" aria-labelledby="who-title" className="grid scroll-mt-6 gap-4 border-t border-line pt-8">
        <SectionHead id="who-title" title="Who we are" />
        <p className="text-small text-muted">
          The public texts name us by this. What is empty is left out there, and waits on the desk until it is said.
        </p>
        <OperatorForm />
        {mayReadChanges && (
          <>
            <SectionHead id="who-changes" level={3} title="Who changed what of it" />
            <OperatorHistory />
          </>
        )}
      </section>
    </div>
  );
}

import { listOwnTiers } from '@stagedoor/contract/content/subscription-tiers.ts';
import { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import { getCallSettings } from '@stagedoor/contract/messaging/calls.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { AvailabilitySwitch } from '../../modules/messaging/calls/availability.tsx';
import { CallSettingsForm } from '../../modules/messaging/calls/settings-form.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.calls });

const load: PageLoad<null> = async ({ client }) => {
  await Promise.all([
    client.ensureQueryData(apiQuery(getCallSettings, {})),
    client.prefetchQuery(apiQuery(getCreatorFees, {})),
    client.prefetchQuery(apiQuery(listOwnTiers, {})),
  ]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function CreatorCalls() {
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-8 pb-4">
        <h1 className="display d2">{texts.calls}</h1>
        <Button variant="quiet" icon="clock" href={`${PATHS.creatorChat}?tab=callHistoryList`}>
          {texts.callHistory}
        </Button>
      </div>
      <AvailabilitySwitch />
      <CallSettingsForm />
    </>
  );
}

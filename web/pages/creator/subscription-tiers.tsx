/** The creator's subscription tiers: a list in order, and an editor in a panel at the side. */

import { getVerification } from '@stagedoor/contract/compliance/verification.ts';
import { listOwnOffers } from '@stagedoor/contract/content/subscription-offers.ts';
import { listOwnTiers, type OwnTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { SUBSCRIPTION_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useState } from 'react';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { OfferSection } from '../../modules/content/subscription-tiers/offer-list.tsx';
import { TierEditor } from '../../modules/content/subscription-tiers/tier-editor.tsx';
import { TierList } from '../../modules/content/subscription-tiers/tier-list.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { useSellingObstacle } from '../../platform/seller-gate.ts';
import { Button } from '../../ui/button.tsx';
import { InlineError } from '../../ui/inline-error.tsx';
import { EmptyState } from '../../ui/states.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column', nav: PATHS.creatorEarning };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.subscriptionTiers });

const load: PageLoad<{ now: string }> = async ({ client }) => {
  await Promise.all([
    client.ensureQueryData(apiQuery(listOwnTiers, {})),
    client.ensureQueryData(apiQuery(listOwnOffers, {})),
    client.ensureQueryData(apiQuery(getCreatorFees, {})),
    client.ensureQueryData(apiQuery(getVerification, {})),
  ]);
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function SubscriptionTiersPage() {
  const { now } = useLoaderData<typeof loader>();
  const { tiers } = useApi(listOwnTiers, {});
  const obstacle = useSellingObstacle(texts.subscriptionTiers);
  const [edited, setEdited] = useState<OwnTier['id'] | 'new'>();
  const isFull = tiers.length >= SUBSCRIPTION_LIMITS.tiers;
  const add = (label: string) => (
    <Button variant="primary" icon="plus" disabled={obstacle !== undefined || isFull} onClick={() => setEdited('new')}>
      {label}
    </Button>
  );
  const editedTier = tiers.find(({ id }) => id === edited);
  return (
    <div className="pt-7 lg:pt-10">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="display d2 min-w-0">{texts.subscriptionTiers}</h1>
        <div className="flex flex-wrap gap-2">
          <Button href={PATHS.creatorSubscribers}>{texts.viewSubscribers}</Button>
          {tiers.length > 0 && add(texts.addTier)}
        </div>
      </div>
      <p className="pt-3 pb-6 text-muted">
        {isFull ? formatText(texts.tierLimitReached, { max: SUBSCRIPTION_LIMITS.tiers }) : texts.tiersIntro}
      </p>
      {obstacle !== undefined && <InlineError message={obstacle} href={PATHS.creatorVerification} className="pb-4" />}
      {tiers.length > 0 ? (
        <TierList tiers={tiers} onEdit={({ id }) => setEdited(id)} />
      ) : (
        <EmptyState line={texts.noTiersYet} more={texts.noTiersHint} action={add(texts.addFirstTier)} />
      )}
      <OfferSection tiers={tiers} now={now} isDisabled={obstacle !== undefined} />
      {(edited === 'new' || editedTier) && (
        <TierEditor key={edited} tier={editedTier} tiers={tiers} onClose={() => setEdited(undefined)} />
      )}
    </div>
  );
}

/** The payout methods for a fan's referral earnings (row H3). */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { PayoutMethodsSection } from '../../modules/finance/payouts/methods.tsx';
import { methodsQuery } from '../../modules/finance/payouts/queries.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { formatNodes } from '../../ui/format-nodes.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column', nav: PATHS.fanProfile };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.payoutMethods });

const load: PageLoad<null> = async ({ client }) => {
  await client.ensureQueryData(methodsQuery());
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function PayoutMethodsPage() {
  return (
    <div className="grid gap-6 pt-7 lg:pt-10">
      <h1 className="display d2">{texts.gettingPaid}</h1>
      <p className="text-muted">
        {formatNodes(texts.payoutMethodsIntro, {
          link: (
            <a className="link" href={PATHS.fanReferral}>
              {texts.referralLink}
            </a>
          ),
        })}
      </p>
      <PayoutMethodsSection />
    </div>
  );
}

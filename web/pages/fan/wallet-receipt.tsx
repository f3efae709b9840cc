import { getReceipt } from '@stagedoor/contract/finance/wallet.ts';
import { PATHS, postPath } from '@stagedoor/contract/shared/addresses.ts';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useParams } from 'react-router';
import { isCallReceipt } from '../../modules/finance/wallet/money-rows.tsx';
import { ReceiptSheet } from '../../modules/finance/wallet/receipt-sheet.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { Wordmark } from '../../ui/logo.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.receipt });

const load: PageLoad<null> = async ({ client, params }) => {
  await client.ensureQueryData(apiQuery(getReceipt, { params: { id: params.id ?? '' } }));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function WalletReceipt() {
  const { id = '' } = useParams();
  const receipt = useApi(getReceipt, { params: { id } });
  return (
    <div className="pt-4 lg:pt-10">
      <Button variant="quiet" icon="back" href={PATHS.fanWallet} className="-ml-2.5 mb-3 print:hidden">
        {texts.wallet}
      </Button>
      <p className="mb-8 hidden print:block">
        <Wordmark />
      </p>
      <ReceiptSheet receipt={receipt} />
      <div className="mt-7 flex flex-wrap gap-3 print:hidden">
        <Button icon="document" onClick={() => window.print()}>
          {texts.print}
        </Button>
        {receipt.href && receipt.otherUser && (
          <Button variant="quiet" href={receipt.href}>
            {isCallReceipt(receipt.href)
              ? texts.viewCall
              : receipt.href.startsWith(postPath(''))
                ? texts.viewPost
                : texts.viewProfile}
          </Button>
        )}
      </div>
    </div>
  );
}

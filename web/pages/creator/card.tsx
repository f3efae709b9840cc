import { getProfileCard } from '@stagedoor/contract/content/og-images.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { joinIsolated } from '../../platform/bidi.ts';
import { copyText } from '../../platform/clipboard.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { LogoMark } from '../../ui/logo.tsx';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Printable QR card' });

const load: PageLoad<null> = async ({ client }) => {
  await client.ensureQueryData(apiQuery(getProfileCard, {}));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function CardToPrint() {
  const { name, craft, city, address, url, qrSvg } = useApi(getProfileCard, {});
  const qr = `data:image/svg+xml,${encodeURIComponent(qrSvg)}`;
  return (
    <>
      <div className="pt-7 pb-6 print:hidden">
        <h1 className="display d2">Printable QR card</h1>
        <p className="mt-3 max-w-[52ch] text-muted">
          Print it for events or your shop. Scanning the code opens your profile.
        </p>
      </div>
      {/* The card is black on white in every theme, because it is printed. */}
      <article
        aria-label="Your card"
        className="grid w-full max-w-[420px] gap-6 border border-line bg-white p-8 text-[#14161b] [--text:#14161b] print:max-w-[105mm] print:border-0 print:p-0"
      >
        <p className="flex items-center gap-2 font-semibold">
          <LogoMark size={22} /> Stagedoor
        </p>
        <div>
          <h2 className="display d3 wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          {(craft || city) && <p className="mt-2 wrap-anywhere text-[#5b6070]">{joinIsolated([craft, city], ', ')}</p>}
        </div>
        <img className="w-full" width="320" height="320" alt={`QR code of ${url}`} src={qr} />
        <p className="text-lead font-semibold wrap-anywhere">{address}</p>
      </article>
      <div className="flex flex-wrap gap-3 pt-6 pb-9 print:hidden">
        <Button variant="primary" size="lg" onClick={() => window.print()}>
          Print card
        </Button>
        <Button size="lg" icon="copy" onClick={() => void copyText(url, 'Link copied.')}>
          Copy link
        </Button>
        <a className="btn btn--line btn--lg" href={qr} download="stagedoor-card.svg">
          Download QR code
        </a>
        <Button variant="quiet" size="lg" href={PATHS.creatorProfile}>
          Back to your profile
        </Button>
      </div>
    </>
  );
}

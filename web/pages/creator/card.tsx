import { getProfileCard } from '@stagedoor/contract/content/og-images.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { joinIsolated } from '../../platform/bidi.ts';
import { copyText } from '../../platform/clipboard.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import { formatNodes } from '../../ui/format-nodes.ts';
import { LogoMark } from '../../ui/logo.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.printableQrCard });

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
        <h1 className="display d2">{texts.printableQrCard}</h1>
        <p className="mt-3 max-w-[52ch] text-muted">{texts.cardIntro}</p>
      </div>
      {/* The card is black on white in every theme, because it is printed. */}
      <article
        aria-label={texts.yourCard}
        className="grid w-full max-w-[420px] gap-6 border border-line bg-white p-8 text-[#14161b] [--text:#14161b] print:max-w-[105mm] print:border-0 print:p-0"
      >
        <p className="flex items-center gap-2 font-semibold">
          {formatNodes(texts.stagedoorBrand, { logoMark: <LogoMark size={22} /> })}
        </p>
        <div>
          <h2 className="display d3 wrap-anywhere">
            <bdi>{name}</bdi>
          </h2>
          {(craft || city) && <p className="mt-2 wrap-anywhere text-[#5b6070]">{joinIsolated([craft, city], ', ')}</p>}
        </div>
        <img className="w-full" width="320" height="320" alt={formatText(texts.qrCodeAlt, { url })} src={qr} />
        <p className="text-lead font-semibold wrap-anywhere">{address}</p>
      </article>
      <div className="flex flex-wrap gap-3 pt-6 pb-9 print:hidden">
        <Button variant="primary" size="lg" onClick={() => window.print()}>
          {texts.printCard}
        </Button>
        <Button size="lg" icon="copy" onClick={() => void copyText(url, texts.linkCopied)}>
          {texts.copyLink}
        </Button>
        <a className="btn btn--line btn--lg" href={qr} download="stagedoor-card.svg">
          {texts.downloadQrCode}
        </a>
        <Button variant="quiet" size="lg" href={PATHS.creatorProfile}>
          {texts.backToYourProfile}
        </Button>
      </div>
    </>
  );
}

import { getAffiliateCode } from '@stagedoor/contract/finance/affiliates.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { copyText, shareNatively } from '../../../platform/clipboard.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { SectionHead } from '../../../ui/label.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

export const affiliateCodeQuery = () => apiQuery(getAffiliateCode, {});

const SHARE_TEXT = texts.joinMeOnStagedoor;

export function InviteSection() {
  const id = useId();
  const { data, isError, refetch } = useQuery(affiliateCodeQuery());
  const canShare = typeof navigator !== 'undefined' && 'share' in navigator;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={texts.yourLink} />
      {!data && isError && <ErrorState onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton style={{ height: 176, marginTop: 16 }} />}
      {data && (
        <div className="mt-4 flex flex-wrap items-start gap-5">
          <img
            className="size-40 flex-none bg-white p-2"
            alt={formatText(texts.qrCodeOfLink, { link: data.link })}
            src={`data:image/svg+xml,${encodeURIComponent(data.qrSvg)}`}
          />
          <div className="form min-w-0 flex-1 basis-60">
            <TextField
              label={texts.linkLabel}
              readOnly
              value={data.link}
              onFocus={(event) => event.currentTarget.select()}
              hint={formatNodes(texts.yourCode, { code: <b className="num text-ink select-all">{data.code}</b> })}
            />
            <div className="flex flex-wrap gap-3">
              <Button variant="ink" icon="copy" onClick={() => void copyText(data.link, texts.linkCopied)}>
                {texts.copyLink}
              </Button>
              {canShare && (
                <Button icon="share" onClick={() => shareNatively(data.link, SHARE_TEXT)}>
                  {texts.share}
                </Button>
              )}
            </div>
          </div>
        </div>
      )}
    </section>
  );
}

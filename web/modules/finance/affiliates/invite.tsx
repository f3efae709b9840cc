import { getAffiliateCode } from '@stagedoor/contract/finance/affiliates.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { copyText, shareNatively } from '../../../platform/clipboard.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';

export const affiliateCodeQuery = () => apiQuery(getAffiliateCode, {});

const SHARE_TEXT = 'Join me on Stagedoor';

export function InviteSection() {
  const id = useId();
  const { data, isError, refetch } = useQuery(affiliateCodeQuery());
  const canShare = typeof navigator !== 'undefined' && 'share' in navigator;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title="Your link" />
      {!data && isError && <ErrorState onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton style={{ height: 176, marginTop: 16 }} />}
      {data && (
        <div className="mt-4 flex flex-wrap items-start gap-5">
          <img
            className="size-40 flex-none bg-white p-2"
            alt={`QR code of your link, ${data.link}`}
            src={`data:image/svg+xml,${encodeURIComponent(data.qrSvg)}`}
          />
          <div className="form min-w-0 flex-1 basis-60">
            <TextField
              label="Link"
              readOnly
              value={data.link}
              onFocus={(event) => event.currentTarget.select()}
              hint={
                <>
                  Your code is <b className="num text-ink select-all">{data.code}</b>
                </>
              }
            />
            <div className="flex flex-wrap gap-3">
              <Button variant="ink" icon="copy" onClick={() => void copyText(data.link, 'Link copied.')}>
                Copy link
              </Button>
              {canShare && (
                <Button icon="share" onClick={() => shareNatively(data.link, SHARE_TEXT)}>
                  Share
                </Button>
              )}
            </div>
          </div>
        </div>
      )}
    </section>
  );
}

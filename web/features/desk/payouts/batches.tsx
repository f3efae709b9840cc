import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { type BATCH_STATES, listPayoutBatches, payoutBatchFile } from '@stagedoor/contract/payout-desk.ts';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { formatDayTime, plural } from '../../../kernel/dates.ts';
import { download } from '../../../kernel/download.ts';
import { askForProof, isProofAsked, useMay } from '../../../kernel/operator.ts';
import { showToast } from '../../../kernel/outcome.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import { Lamp } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { RAIL_WORDS } from './words.ts';

type Batch = ResponseOf<typeof listPayoutBatches>['data'][number];
type BatchState = (typeof BATCH_STATES)[number];

export const batchesQuery = () => apiInfiniteQuery(listPayoutBatches, { query: { limit: 10 } });

const STATES: Readonly<Record<BatchState, { lamp: 'on' | 'busy' | 'danger'; words: string }>> = {
  ready: { lamp: 'on', words: 'The file is ready' },
  sending: { lamp: 'busy', words: 'Sending to PayPal' },
  unknown: { lamp: 'danger', words: 'No confirmation from PayPal. Retrying automatically.' },
  sent: { lamp: 'on', words: 'Accepted by PayPal' },
  refused: { lamp: 'danger', words: 'Rejected by PayPal. Payouts are queued again.' },
};

function TakeFile({ id, fileName }: { id: Batch['id']; fileName: string }) {
  const may = useMay(payoutBatchFile);
  const isTaking = useRef(false);
  const taking = useMutation({
    mutationFn: async () => {
      await download(payoutBatchFile, { params: { id } }, fileName);
      await showToast(`${fileName} downloaded.`, 'success');
    },
    onError: (error) => {
      if (isProofAsked(error)) askForProof(take);
    },
    onSettled: () => {
      isTaking.current = false;
    },
  });
  function take() {
    if (isTaking.current) return;
    isTaking.current = true;
    taking.mutate();
  }
  if (!may) return null;
  return (
    <Button
      icon="download"
      busy={taking.isPending}
      busyText="Downloading…"
      onClick={take}
      aria-label={`Download ${fileName}`}
    >
      Download
    </Button>
  );
}

/** `now` is an ISO timestamp. */
export function BatchRows({ batches, now }: { batches: readonly Batch[]; now: string }) {
  return (
    <ul className="lines" aria-label="Batches">
      {batches.map(({ id, rail, state, count, net, fileName, detail, createdAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
          <div className="grid min-w-0 flex-1 basis-70 gap-1">
            <UiLink
              href={`${DESK_PATHS.adminPayouts}?batchId=${id}`}
              className="font-semibold underline underline-offset-4 num w-fit"
            >
              {plural(count, 'payout')} by {RAIL_WORDS[rail].name}, {formatUsd(net)}
            </UiLink>
            <span className="text-small text-muted num">
              {[formatDayTime(createdAt, now), fileName].filter(Boolean).join(' · ')}
            </span>
            <span className="text-small">
              <Lamp state={STATES[state].lamp}>{STATES[state].words}</Lamp>
            </span>
            {detail !== null && <span className="text-small text-muted wrap-anywhere">{detail}</span>}
          </div>
          {fileName !== null && <TakeFile id={id} fileName={fileName} />}
        </li>
      ))}
    </ul>
  );
}

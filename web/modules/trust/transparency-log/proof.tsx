import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { getJournalProofStatus } from '@stagedoor/contract/trust/transparency-log.ts';
import { useQuery } from '@tanstack/react-query';
import { formatExactTime } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import * as texts from './texts.ts';

export function TransactionProof({ transactionId }: { transactionId: string }) {
  const query = useQuery(apiQuery(getJournalProofStatus, { query: { ids: transactionId } }));
  if (query.isPending) return <p className="proof text-muted">{texts.checkingTheLedger}</p>;
  if (query.isError)
    return (
      <p className="proof">
        <span>{texts.ledgerCheckError}</span>
        <Button variant="quiet" onClick={() => void query.refetch()}>
          {texts.tryAgain}
        </Button>
      </p>
    );
  const [proof] = query.data.data;
  if (!proof) return <p className="proof text-muted">{texts.notRecordedYet}</p>;
  return (
    <p className="proof">
      {proof.isVerified ? (
        <StatusDot>
          {formatText(texts.verifiedAgainstCheckpoint, { time: formatExactTime(proof.checkpointAt) })}
        </StatusDot>
      ) : (
        <StatusDot state="danger">
          {formatText(texts.mismatchedCheckpoint, { time: formatExactTime(proof.checkpointAt) })}
        </StatusDot>
      )}
      <span className="num text-muted">
        {formatText(texts.entryPosition, { position: proof.position.toLocaleString('en-US') })}
      </span>
    </p>
  );
}

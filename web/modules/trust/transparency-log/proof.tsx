import { getJournalProofStatus } from '@stagedoor/contract/trust/transparency-log.ts';
import { useQuery } from '@tanstack/react-query';
import { formatExactTime } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { StatusDot } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';

export function TransactionProof({ transactionId }: { transactionId: string }) {
  const query = useQuery(apiQuery(getJournalProofStatus, { query: { ids: transactionId } }));
  if (query.isPending) return <p className="proof text-muted">Checking the ledger…</p>;
  if (query.isError)
    return (
      <p className="proof">
        <span>Couldn’t check the ledger.</span>
        <Button variant="quiet" onClick={() => void query.refetch()}>
          Try again
        </Button>
      </p>
    );
  const [proof] = query.data.data;
  if (!proof) return <p className="proof text-muted">Not recorded yet. This takes about a minute.</p>;
  return (
    <p className="proof">
      {proof.isVerified ? (
        <StatusDot>{`Verified against checkpoint of ${formatExactTime(proof.checkpointAt)}`}</StatusDot>
      ) : (
        <StatusDot state="danger">{`Doesn’t match the checkpoint of ${formatExactTime(proof.checkpointAt)}. Contact support.`}</StatusDot>
      )}
      <span className="num text-muted">Entry {proof.position.toLocaleString('en-US')}</span>
    </p>
  );
}

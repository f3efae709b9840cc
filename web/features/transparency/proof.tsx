import { journalPlaces } from '@stagedoor/contract/transparency.ts';
import { useQuery } from '@tanstack/react-query';
import { formatExact } from '../../kernel/dates.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Lamp } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';

export function Proof({ transactionId }: { transactionId: string }) {
  const query = useQuery(apiQuery(journalPlaces, { query: { ids: transactionId } }));
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
  const [place] = query.data.data;
  if (!place) return <p className="proof text-muted">Not recorded yet. This takes about a minute.</p>;
  return (
    <p className="proof">
      {place.isVerified ? (
        <Lamp>{`Verified against checkpoint of ${formatExact(place.checkpointAt)}`}</Lamp>
      ) : (
        <Lamp state="danger">{`Doesn’t match the checkpoint of ${formatExact(place.checkpointAt)}. Contact support.`}</Lamp>
      )}
      <span className="num text-muted">Entry {place.position.toLocaleString('en-US')}</span>
    </p>
  );
}

import { listMoneyActs } from '@stagedoor/contract/money-acts.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { DecidedByTwo, moneyActsQuery, WaitsForTwo } from '../../features/desk/money-acts/waits.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { useApi } from '../../kernel/query.ts';
import { SectionHead } from '../../ui/label.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Needs second approval' });

const load = deskLoad(({ client }) => client.ensureQueryData({ ...moneyActsQuery(), revalidateIfStale: true }));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function ToConfirm() {
  const { data, ended } = useApi(listMoneyActs, {});
  return (
    <DeskList title="Needs second approval">
      {data.length === 0 && (
        <EmptyState
          line="Nothing awaiting second approval"
          more="Large refunds, chargeback reversals and write-offs wait here for a second approval."
        />
      )}
      {data.map((act) => (
        <WaitsForTwo key={act.id} act={act} hasPlace />
      ))}
      {ended.length > 0 && (
        <section aria-labelledby="ended" className="pt-6">
          <SectionHead id="ended" title="Recently decided" />
          <DecidedByTwo acts={ended} />
        </section>
      )}
    </DeskList>
  );
}

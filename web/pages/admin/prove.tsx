import { PATHS } from '@stagedoor/contract/addresses.ts';
import { type MetaArgs, useNavigate, useSearchParams } from 'react-router';
import { PROOF_WHY, ProofForm } from '../../features/desk/proof.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { FocusHead } from '../../ui/label.tsx';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Confirm it’s you' });

const deskAddress = (back: string | null) => (back?.startsWith(`${PATHS.admin}/`) ? back : PATHS.admin);

export default function Prove() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 lg:pt-8">
      <FocusHead>Confirm it’s you</FocusHead>
      <p className="text-small text-muted">{PROOF_WHY}</p>
      <ProofForm onProven={() => void navigate(deskAddress(search.get('back')), { replace: true })} />
    </div>
  );
}

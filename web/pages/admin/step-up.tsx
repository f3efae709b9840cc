import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { type MetaArgs, useNavigate, useSearchParams } from 'react-router';
import { STEP_UP_TEXT, StepUpForm } from '../../modules/admin/console/step-up.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { FocusedHeading } from '../../ui/label.tsx';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.confirmItsYou });

const toAdminAddress = (back: string | null) => (back?.startsWith(`${PATHS.admin}/`) ? back : PATHS.admin);

export default function StepUpPage() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 lg:pt-8">
      <FocusedHeading>{texts.confirmItsYou}</FocusedHeading>
      <p className="text-small text-muted">{STEP_UP_TEXT}</p>
      <StepUpForm onDone={() => void navigate(toAdminAddress(search.get('back')), { replace: true })} />
    </div>
  );
}

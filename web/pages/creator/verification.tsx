/** A creator's verification (row G5) with its step in the address. */

import { COUNTRIES, type Verification } from '@stagedoor/contract/compliance/verification.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useLoaderData,
  useNavigate,
  useSearchParams,
} from 'react-router';
import { AgreementStep } from '../../modules/compliance/verification/agreement-step.tsx';
import { DetailsForm } from '../../modules/compliance/verification/details-form.tsx';
import { PictureStep } from '../../modules/compliance/verification/picture-step.tsx';
import { agreementQuery, verificationQuery } from '../../modules/compliance/verification/queries.ts';
import { ReviewStatus } from '../../modules/compliance/verification/review-status.tsx';
import { VerificationSteps } from '../../modules/compliance/verification/step-frame.tsx';
import {
  getNextStep,
  getPage,
  toPagePath,
  type VerificationPageName,
} from '../../modules/compliance/verification/steps.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import type { SelectOption } from '../../ui/field.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column', bare: true, tabless: true, nav: PATHS.creatorDashboard };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.verification });

function countryOptions(): SelectOption[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) =>
    a.label.localeCompare(b.label, 'en'),
  );
}

const load: PageLoad<{ now: string; countries: SelectOption[] }> = async ({ client, url }) => {
  const verification = await client.ensureQueryData({ ...verificationQuery(), revalidateIfStale: true });
  const requestedStep = url.searchParams.get('step');
  const step = getPage(verification, requestedStep);
  // The address always contains the current step, so that back and reload keep it.
  if (step !== (requestedStep ?? 'verdict')) throw redirect(toPagePath(step));
  if (step === 'agreement') await awaitOnServer(client.ensureQueryData(agreementQuery()));
  return { now: new Date().toISOString(), countries: step === 'details' ? countryOptions() : [] };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

type VerificationStepProps = {
  step: VerificationPageName;
  verification: Verification;
  now: string;
  countries: SelectOption[];
};

function VerificationStep({ step, verification, now, countries }: VerificationStepProps) {
  const navigate = useNavigate();
  const showNext = (updated: Verification) => void navigate(toPagePath(getPage(updated, getNextStep(updated))));
  if (step === 'verdict') return <ReviewStatus verification={verification} now={now} />;
  if (step === 'details') return <DetailsForm verification={verification} countries={countries} onDone={showNext} />;
  if (step === 'agreement') return <AgreementStep verification={verification} onDone={showNext} />;
  return <PictureStep key={step} kind={step} verification={verification} now={now} onDone={showNext} />;
}

export default function VerificationPage() {
  const loaded = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const { data } = useSuspenseQuery(verificationQuery());
  return (
    <VerificationSteps>
      <VerificationStep step={getPage(data, search.get('step'))} verification={data} {...loaded} />
    </VerificationSteps>
  );
}

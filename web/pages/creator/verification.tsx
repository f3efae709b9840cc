/** A creator's verification (row G5) with its step in the address. */

import { PATHS } from '@stagedoor/contract/addresses.ts';
import { COUNTRIES, type Verification } from '@stagedoor/contract/verification.ts';
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
import { AgreementStep } from '../../features/verification/agreement-step.tsx';
import { DetailsForm } from '../../features/verification/details-form.tsx';
import { PictureStep } from '../../features/verification/picture-step.tsx';
import { agreementQuery, verificationQuery } from '../../features/verification/queries.ts';
import { Steps } from '../../features/verification/step-frame.tsx';
import { nextStep, type Place, placeAddress, placeOf } from '../../features/verification/steps.ts';
import { Verdict } from '../../features/verification/verdict.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import type { Option } from '../../ui/field.tsx';

export const handle: PageHandle = { width: 'column', bare: true, tabless: true, nav: PATHS.creatorDashboard };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Verification' });

function countryOptions(): Option[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) =>
    a.label.localeCompare(b.label, 'en'),
  );
}

const load: PageLoad<{ now: string; countries: Option[] }> = async ({ client, url }) => {
  const verification = await client.ensureQueryData({ ...verificationQuery(), revalidateIfStale: true });
  const asked = url.searchParams.get('step');
  const place = placeOf(verification, asked);
  // The address always contains the current step, so that back and reload keep it.
  if (place !== (asked ?? 'verdict')) throw redirect(placeAddress(place));
  if (place === 'agreement') await begin(client.ensureQueryData(agreementQuery()));
  return { now: new Date().toISOString(), countries: place === 'details' ? countryOptions() : [] };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

type StageProps = { place: Place; verification: Verification; now: string; countries: Option[] };

function Stage({ place, verification, now, countries }: StageProps) {
  const navigate = useNavigate();
  const goOn = (standing: Verification) => void navigate(placeAddress(placeOf(standing, nextStep(standing))));
  if (place === 'verdict') return <Verdict verification={verification} now={now} />;
  if (place === 'details') return <DetailsForm verification={verification} countries={countries} onDone={goOn} />;
  if (place === 'agreement') return <AgreementStep verification={verification} onDone={goOn} />;
  return <PictureStep key={place} kind={place} verification={verification} now={now} onDone={goOn} />;
}

export default function VerificationPage() {
  const loaded = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const { data } = useSuspenseQuery(verificationQuery());
  return (
    <Steps>
      <Stage place={placeOf(data, search.get('step'))} verification={data} {...loaded} />
    </Steps>
  );
}

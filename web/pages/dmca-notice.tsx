import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { giveNotice } from '@stagedoor/contract/copyright.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import type { ActionFunctionArgs, MetaArgs } from 'react-router';
import { answerLetter, LETTER_HANDLE, Letter, Numbers } from '../features/cases/letter.tsx';
import { NoticeFields } from '../features/cases/notice-forms.tsx';
import { sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';

export const handle = LETTER_HANDLE;
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Notice of copyright',
    description: 'Something of yours is here and should not be. Send a notice: no account is needed.',
  });

export const action = (args: ActionFunctionArgs) =>
  answerLetter(args, CASE_PATHS.copyrightNotice, async (values) => {
    const { email = '', name = '', address = '', telephone = '', signature = '', work = '', places = '' } = values;
    const body = {
      ...{ name, email, address, telephone, signature, work, places },
      isGoodFaith: values.isGoodFaith === 'true',
      isAccurate: values.isAccurate === 'true',
    };
    // An unticked checkbox is missing from the form data, so an empty value is added for validation.
    const sent = await sendForm(args, giveNotice, { body }, { isGoodFaith: '', isAccurate: '', ...values });
    if (!sent.ok) return sent;
    return { ok: true, references: sent.body.cases.map(({ reference }) => reference), answerBy: sent.body.answerBy };
  });

export default function CopyrightNotice() {
  return (
    <Letter
      title="Notice of copyright"
      lead={
        <>
          Something of yours is here and should not be. A person looks at your notice within two business days. What
          comes of it, and how whoever posted it can answer, stands in{' '}
          <a className="underline underline-offset-4" href={PUBLIC_PATHS.dmca}>
            how this goes
          </a>
          . Whoever says something untrue in it knowingly pays for what it costs (17 U.S.C. 512(f)).
        </>
      }
      page={CASE_PATHS.copyrightNotice}
      name="Notice of copyright"
      fields={({ where, ...part }) => <NoticeFields places={where} {...part} />}
      received={(received) => (
        <Numbers
          title="We have your notice."
          lead={`Keep ${received.references.length === 1 ? 'this number' : 'these numbers, in the order of your addresses: each is looked at for itself'}. It is also in the mail that we have just sent you.`}
          received={received}
        />
      )}
      status={{ title: 'How a notice stands', emailLabel: 'Email of the notice' }}
    />
  );
}

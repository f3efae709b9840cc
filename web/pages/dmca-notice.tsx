import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { submitCopyrightNotice } from '@stagedoor/contract/trust/copyright.ts';
import type { ActionFunctionArgs, MetaArgs } from 'react-router';
import { NoticeFields } from '../modules/trust/copyright/notice-fields.tsx';
import {
  handlePublicMessage,
  PUBLIC_MESSAGE_HANDLE,
  PublicMessagePage,
  ReferenceNumbers,
} from '../modules/trust/support/public-message.tsx';
import { sendForm } from '../platform/form-action.ts';
import { createPageMeta } from '../platform/meta.ts';
import { formatNodes } from '../ui/format-nodes.ts';
import * as texts from './texts.ts';

export const handle = PUBLIC_MESSAGE_HANDLE;
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.copyrightNoticeDmca,
    description: texts.copyrightNoticeLead,
  });

export const action = (args: ActionFunctionArgs) =>
  handlePublicMessage(args, CASE_PATHS.copyrightNotice, async (values) => {
    const { email = '', name = '', address = '', telephone = '', signature = '', work = '', urls = '' } = values;
    const body = {
      ...{ name, email, address, telephone, signature, work, urls },
      isGoodFaith: values.isGoodFaith === 'true',
      isAccurate: values.isAccurate === 'true',
    };
    // An unticked checkbox is missing from the form data, so an empty value is added for validation.
    const sent = await sendForm(args, submitCopyrightNotice, { body }, { isGoodFaith: '', isAccurate: '', ...values });
    if (!sent.ok) return sent;
    return { ok: true, references: sent.body.cases.map(({ reference }) => reference), answerBy: sent.body.answerBy };
  });

export default function CopyrightNotice() {
  return (
    <PublicMessagePage
      title={texts.copyrightNoticeDmca}
      lead={formatNodes(texts.copyrightNoticeIntro, {
        link: (
          <a className="underline underline-offset-4" href={PUBLIC_PATHS.dmca}>
            {texts.howTheProcessWorks}
          </a>
        ),
      })}
      page={CASE_PATHS.copyrightNotice}
      name="Copyright notice (DMCA)"
      renderFields={({ where, ...part }) => <NoticeFields urls={where} {...part} />}
      renderReceived={(received) => (
        <ReferenceNumbers
          title={texts.noticeReceived}
          lead={received.references.length === 1 ? texts.saveReferenceHint : texts.saveReferencesHint}
          received={received}
        />
      )}
      status={{ title: texts.checkNoticeStatus, emailLabel: texts.emailYouUsed }}
    />
  );
}

import {
  DOCUMENT_TYPES,
  updateVerificationDetails,
  type Verification,
  type VerificationDetails,
  verificationDetails,
} from '@stagedoor/contract/compliance/verification.ts';
import { useForm, useWatch } from 'react-hook-form';
import { createContractResolver, createSubmitHandler } from '../../../platform/forms.ts';
import { UNSAVED_DIALOG, useLeaveGuard } from '../../../platform/leave-guard.ts';
import { api } from '../../../platform/mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { SelectField, type SelectOption, TextField } from '../../../ui/field.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { useSetVerification } from './queries.ts';
import { StepFrame } from './step-frame.tsx';
import { findPreviousPage } from './steps.ts';
import * as texts from './texts.ts';

const TYPES = Object.entries(DOCUMENT_TYPES).map(([value, label]) => ({ value, label }));
const EMPTY_DETAILS: VerificationDetails = {
  legalName: '',
  dateOfBirth: '',
  country: '',
  documentType: 'identityCard',
};

export interface DetailsFormProps {
  verification: Verification;
  /** The country names come from the server, so that hydration does not change them. */
  countries: readonly SelectOption[];
  onDone: (verification: Verification) => void;
}

export function DetailsForm({ verification, countries, onDone }: DetailsFormProps) {
  const setCached = useSetVerification();
  const form = useForm<VerificationDetails, unknown, VerificationDetails>({
    resolver: createContractResolver(verificationDetails),
    mode: 'onTouched',
    defaultValues: verification.details ?? EMPTY_DETAILS,
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  const leaveGuard = useLeaveGuard(isDirty, isSubmitting);
  const [type, dateOfBirth] = useWatch({ control: form.control, name: ['documentType', 'dateOfBirth'] });
  const willRemovePictures =
    type !== verification.details?.documentType &&
    verification.documents.some(({ kind, uploadedAt }) => kind !== 'selfie' && uploadedAt !== null);
  const send = createSubmitHandler(form, async (body) => {
    const response = isDirty
      ? await api(updateVerificationDetails, { body }, { showErrorMessage: false })
      : verification;
    setCached(response);
    form.reset(body);
    onDone(response);
  });
  return (
    <form noValidate onSubmit={send}>
      <StepFrame
        page="details"
        previousPage={findPreviousPage(verification, 'details')}
        title={texts.verifyYourIdentity}
        lead={texts.legalDetailsHint}
        foot={
          <>
            {errors.root?.message && <InlineError message={errors.root.message} />}
            <Button type="submit" variant="primary" size="lg" wide busy={isSubmitting} busyText={texts.saving}>
              {texts.continueButton}
            </Button>
          </>
        }
      >
        <div className="form pt-5">
          <TextField
            label={texts.fullLegalName}
            autoComplete="name"
            dir="auto"
            {...form.register('legalName')}
            error={errors.legalName?.message}
          />
          <TextField
            type="date"
            label={texts.dateOfBirth}
            autoComplete="bday"
            min="1900-01-01"
            value={dateOfBirth}
            {...form.register('dateOfBirth')}
            error={errors.dateOfBirth?.message}
          />
          <SelectField
            label={texts.issuingCountry}
            autoComplete="country"
            placeholder={texts.chooseACountry}
            options={countries}
            {...form.register('country')}
            error={errors.country?.message}
          />
          <SelectField
            label={texts.documentField}
            options={TYPES}
            hint={willRemovePictures ? texts.previousPhotosDeletedNotice : undefined}
            {...form.register('documentType')}
            error={errors.documentType?.message}
          />
        </div>
      </StepFrame>
      <ConfirmDialog
        open={leaveGuard.isPrompting}
        onOpenChange={(isOpen) => !isOpen && leaveGuard.stay()}
        {...UNSAVED_DIALOG}
        onConfirm={leaveGuard.leave}
      />
    </form>
  );
}

import {
  changeVerificationDetails,
  DOCUMENT_TYPES,
  type Verification,
  type VerificationDetails,
  verificationDetails,
} from '@stagedoor/contract/verification.ts';
import { useForm, useWatch } from 'react-hook-form';
import { contractForm, submitting } from '../../kernel/forms.ts';
import { UNSAVED_WORDS, useUnsaved } from '../../kernel/leaving.ts';
import { api } from '../../kernel/mutation.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { type Option, SelectField, TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { useKeepVerification } from './queries.ts';
import { StepFrame } from './step-frame.tsx';
import { placeBefore } from './steps.ts';

const TYPES = Object.entries(DOCUMENT_TYPES).map(([value, label]) => ({ value, label }));
const NOTHING: VerificationDetails = { legalName: '', dateOfBirth: '', country: '', documentType: 'identityCard' };

export interface DetailsFormProps {
  verification: Verification;
  /** The country names come from the server, so that hydration does not change them. */
  countries: readonly Option[];
  onDone: (verification: Verification) => void;
}

export function DetailsForm({ verification, countries, onDone }: DetailsFormProps) {
  const keep = useKeepVerification();
  const form = useForm<VerificationDetails, unknown, VerificationDetails>({
    resolver: contractForm(verificationDetails),
    mode: 'onTouched',
    defaultValues: verification.details ?? NOTHING,
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  const leaving = useUnsaved(isDirty, isSubmitting);
  const [type, dateOfBirth] = useWatch({ control: form.control, name: ['documentType', 'dateOfBirth'] });
  const losesPictures =
    type !== verification.details?.documentType &&
    verification.documents.some(({ kind, takenAt }) => kind !== 'selfie' && takenAt !== null);
  const send = submitting(form, async (body) => {
    const answer = isDirty ? await api(changeVerificationDetails, { body }, { showErrorMessage: false }) : verification;
    keep(answer);
    form.reset(body);
    onDone(answer);
  });
  return (
    <form noValidate onSubmit={send}>
      <StepFrame
        place="details"
        before={placeBefore(verification, 'details')}
        title="Verify your identity"
        lead="As shown on your ID. Fans never see this."
        foot={
          <>
            {errors.root?.message && <Refusal message={errors.root.message} />}
            <Button type="submit" variant="primary" size="lg" wide busy={isSubmitting} busyText="Saving…">
              Continue
            </Button>
          </>
        }
      >
        <div className="form pt-5">
          <TextField
            label="Full legal name"
            autoComplete="name"
            dir="auto"
            {...form.register('legalName')}
            error={errors.legalName?.message}
          />
          <TextField
            type="date"
            label="Date of birth"
            autoComplete="bday"
            min="1900-01-01"
            value={dateOfBirth}
            {...form.register('dateOfBirth')}
            error={errors.dateOfBirth?.message}
          />
          <SelectField
            label="Issuing country"
            autoComplete="country"
            placeholder="Choose a country"
            options={countries}
            {...form.register('country')}
            error={errors.country?.message}
          />
          <SelectField
            label="Document"
            options={TYPES}
            hint={losesPictures ? 'Photos of your previous ID will be deleted.' : undefined}
            {...form.register('documentType')}
            error={errors.documentType?.message}
          />
        </div>
      </StepFrame>
      <ConfirmDialog
        open={leaving.isAsked}
        onOpenChange={(isOpen) => !isOpen && leaving.stay()}
        {...UNSAVED_WORDS}
        onConfirm={leaving.leave}
      />
    </form>
  );
}

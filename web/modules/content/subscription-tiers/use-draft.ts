import { type FormEvent, useState } from 'react';

/** Messages by the names of fields. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The values of a form, with its errors: those of `findErrors` after the first submission, and those of the server. */
export function useDraft<Draft extends object>(createInitial: () => Draft, findErrors: (draft: Draft) => FieldErrors) {
  const [initial] = useState(createInitial);
  const [draft, setDraft] = useState(initial);
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const [serverErrors, setServerErrors] = useState<FieldErrors>({});
  return {
    draft,
    isDirty: JSON.stringify(draft) !== JSON.stringify(initial),
    errors: hasSubmitted ? { ...serverErrors, ...findErrors(draft) } : serverErrors,
    setServerErrors,
    change: (part: Partial<Draft>) => {
      setServerErrors({});
      setDraft({ ...draft, ...part });
    },
    /** Calls `save` with a valid draft. Otherwise the first wrong field gets the focus. */
    submit: (event: FormEvent<HTMLFormElement>, save: () => void) => {
      event.preventDefault();
      setHasSubmitted(true);
      if (Object.keys(findErrors(draft)).length === 0) return save();
      const form = event.currentTarget;
      // The fields are marked when the errors are rendered.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    },
  };
}

import {
  disableTwoFactor,
  enableTwoFactor,
  invitationCode,
  startTwoFactorSetup,
  twoFactorDisableBody,
  twoFactorEnableBody,
  twoFactorSetupBody,
} from '@stagedoor/contract/identity/accounts.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { showToast } from '../../../platform/feedback.ts';
import { createContractResolver, createSubmitHandler } from '../../../platform/forms.ts';
import { api } from '../../../platform/mutation.ts';
import { changeViewer } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { PasswordField } from '../../../ui/password-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CodeField } from './code-field.tsx';
import * as texts from './texts.ts';

const staffSetupBody = z.extend(twoFactorSetupBody, { invitationCode });
type SetupValues = z.input<typeof twoFactorSetupBody>;
type EnableValues = z.input<typeof twoFactorEnableBody>;
type DisableValues = z.input<typeof twoFactorDisableBody>;
type TwoFactorSecret = ResponseOf<typeof startTwoFactorSetup>;

function PasswordStep({ isStaff, onStarted }: { isStaff: boolean; onStarted: (secret: TwoFactorSecret) => void }) {
  const form = useForm<SetupValues, unknown, SetupValues>({
    resolver: createContractResolver(isStaff ? staffSetupBody : twoFactorSetupBody),
    defaultValues: { currentPassword: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = createSubmitHandler(form, async (body) => {
    onStarted(await api(startTwoFactorSetup, { body }, { showErrorMessage: false }));
  });
  return (
    <form className="form" noValidate onSubmit={send}>
      <PasswordField
        label={texts.password}
        {...form.register('currentPassword')}
        error={errors.currentPassword?.message}
      />
      {isStaff && (
        <TextField
          label={texts.invitationCode}
          hint={texts.invitationCodeHint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.register('invitationCode')}
          error={errors.invitationCode?.message}
        />
      )}
      {errors.root?.message && <Banner kind="error">{errors.root.message}</Banner>}
      <Button type="submit" variant="primary" size="lg" wide busy={isSubmitting}>
        {texts.continueButton}
      </Button>
    </form>
  );
}

function ScanStep({ secret, onEnabled }: { secret: TwoFactorSecret; onEnabled: (codes: readonly string[]) => void }) {
  const form = useForm<EnableValues, unknown, EnableValues>({
    resolver: createContractResolver(twoFactorEnableBody),
    defaultValues: { code: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = createSubmitHandler(form, async (body) => {
    onEnabled((await api(enableTwoFactor, { body }, { showErrorMessage: false })).recoveryCodes);
  });
  return (
    <form className="form" noValidate onSubmit={send}>
      <div className="flex flex-wrap items-center gap-5">
        <img
          className="size-44 bg-white p-2"
          alt={texts.qrCodeLabel}
          src={`data:image/svg+xml,${encodeURIComponent(secret.qrSvg)}`}
        />
        <div className="min-w-0 flex-1 basis-40">
          <p className="text-note">{texts.scanCodeInstruction}</p>
          <p className="mt-2">
            <a className="link" href={secret.otpauthUrl}>
              {texts.openInAuthenticatorApp}
            </a>
          </p>
          <p className="mt-2 text-small text-muted">
            {formatNodes(texts.setupKey, {
              secret: <span className="num break-all text-ink select-all">{secret.secret}</span>,
            })}
          </p>
        </div>
      </div>
      <CodeField
        hint={texts.enterCodeInstruction}
        inputMode="numeric"
        {...form.register('code')}
        error={errors.code?.message}
      />
      {errors.root?.message && <Banner kind="error">{errors.root.message}</Banner>}
      <Button type="submit" variant="primary" size="lg" wide busy={isSubmitting}>
        {texts.turnOn}
      </Button>
    </form>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join('\n');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      await showToast(texts.copied, 'success');
    } catch {
      await showToast(texts.copyCodesError, 'warning');
    }
  };
  return (
    <div className="form">
      <ul className="num grid grid-cols-2 gap-x-6 gap-y-2 border-y border-line py-4 select-all">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon="copy" onClick={() => void copy()}>
          {texts.copy}
        </Button>
        <Button
          icon="download"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="stagedoor-recovery-codes.txt"
        >
          {texts.download}
        </Button>
      </div>
      <Button variant="primary" size="lg" wide onClick={onDone}>
        {texts.iveSavedMyCodes}
      </Button>
    </div>
  );
}

function DisableTwoFactorForm({ onDisabled }: { onDisabled: (info: string) => void }) {
  const form = useForm<DisableValues, unknown, DisableValues>({
    resolver: createContractResolver(twoFactorDisableBody),
    defaultValues: { currentPassword: '', code: '' },
  });
  const { errors, isSubmitting } = form.formState;
  const send = createSubmitHandler(form, async (body) => {
    onDisabled((await api(disableTwoFactor, { body }, { showErrorMessage: false })).info);
  });
  return (
    <form className="form" noValidate onSubmit={send}>
      <PasswordField
        label={texts.password}
        {...form.register('currentPassword')}
        error={errors.currentPassword?.message}
      />
      <CodeField {...form.register('code')} error={errors.code?.message} />
      {errors.root?.message && <Banner kind="error">{errors.root.message}</Banner>}
      <Button type="submit" variant="danger" size="lg" wide busy={isSubmitting}>
        {texts.turnOff}
      </Button>
    </form>
  );
}

type TwoFactorStage =
  | { name: 'closed' }
  | { name: 'password' }
  | { name: 'scan'; secret: TwoFactorSecret }
  | { name: 'codes'; codes: readonly string[] }
  | { name: 'off' };

const CLOSED: TwoFactorStage = { name: 'closed' };
const STAGE_HEADINGS = {
  closed: { title: texts.twoFactorAuthentication, step: undefined, lead: undefined },
  password: { title: texts.confirmYourPassword, step: texts.firstStep, lead: undefined },
  scan: { title: texts.scanCodeTitle, step: texts.secondStep, lead: texts.otherDevicesLogoutNote },
  codes: {
    title: texts.saveYourRecoveryCodes,
    step: texts.thirdStep,
    lead: texts.recoveryCodesLead,
  },
  off: {
    title: texts.turnOffQuestion,
    step: undefined,
    lead: texts.turnOffConsequence,
  },
} as const;

type TwoFactorSettingsProps = {
  isEnabled: boolean;
  /** Staff need the code of their invitation for setup. */
  isStaff: boolean;
  /** Called after setup, when all other sessions are logged out. */
  onEnabled: () => void;
};

export function TwoFactorSettings({ isEnabled, isStaff, onEnabled }: TwoFactorSettingsProps) {
  const client = useQueryClient();
  const [stage, setStage] = useState<TwoFactorStage>(CLOSED);
  const heading = STAGE_HEADINGS[stage.name];
  const handleEnabled = (codes: readonly string[]) => {
    changeViewer(client, { isTwoFactorEnabled: true });
    onEnabled();
    setStage({ name: 'codes', codes });
  };
  const handleDisabled = (info: string) => {
    changeViewer(client, { isTwoFactorEnabled: false });
    setStage(CLOSED);
    void showToast(info, 'success');
  };
  return (
    <>
      <p className="text-muted">
        {isEnabled ? texts.twoFactorOn : isStaff ? texts.twoFactorOffStaff : texts.twoFactorOff}
      </p>
      <Button className="mt-4" onClick={() => setStage(isEnabled ? { name: 'off' } : { name: 'password' })}>
        {isEnabled ? texts.turnOff : texts.setUp}
      </Button>
      <Dialog
        open={stage.name !== 'closed'}
        onOpenChange={(open) => !open && setStage(CLOSED)}
        title={heading.title}
        step={heading.step}
        lead={heading.lead}
        locked={stage.name === 'codes'}
      >
        {stage.name === 'password' && (
          <PasswordStep isStaff={isStaff} onStarted={(secret) => setStage({ name: 'scan', secret })} />
        )}
        {stage.name === 'scan' && <ScanStep secret={stage.secret} onEnabled={handleEnabled} />}
        {stage.name === 'codes' && <RecoveryCodes codes={stage.codes} onDone={() => setStage(CLOSED)} />}
        {stage.name === 'off' && <DisableTwoFactorForm onDisabled={handleDisabled} />}
      </Dialog>
    </>
  );
}

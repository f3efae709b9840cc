/** Mails are plain text, so that user names cannot inject markup. */
import { STAFF_CODE_HOURS } from '@stagedoor/contract/admin/staff.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import type { Mail } from '../../../platform/mail.ts';

type MailRecipient = { username: string; email: string };

export function createVerificationMail(to: MailRecipient, publicUrl: string, token: string): Mail {
  return {
    to: to.email,
    subject: 'Confirm your email',
    text: `Hello ${to.username},

Please confirm your email:

${publicUrl}${PATHS.confirmMail}?token=${token}

The link works for 24 hours. If you didn’t sign up for Stagedoor, you can ignore this email.
`,
  };
}

export function createResetMail(to: MailRecipient, publicUrl: string, token: string): Mail {
  return {
    to: to.email,
    subject: 'Reset your password',
    text: `Hello ${to.username},

We received a request to reset your Stagedoor password. Reset it here:

${publicUrl}${PATHS.forgotPassword}?token=${token}

The link works once, for one hour. If you didn’t request this, ignore this email. Your password won’t change.
`,
  };
}

export function createPasswordChangedMail(to: MailRecipient, publicUrl: string): Mail {
  return {
    to: to.email,
    subject: 'Your password was changed',
    text: `Hello ${to.username},

Your Stagedoor password was just changed, and your other devices were logged out. Wasn’t you? Reset your password now:

${publicUrl}${PATHS.forgotPassword}
`,
  };
}

export function createNewDeviceMail(to: MailRecipient, publicUrl: string, device: string, at: Date): Mail {
  return {
    to: to.email,
    subject: 'New login to your account',
    text: `Hello ${to.username},

On ${formatMinute(at)} there was a new login to your Stagedoor account${device === '' ? '' : `: ${device}`}.

If this was you, no action is needed. If not, change your password now. That logs out all other devices:

${publicUrl}${PATHS.forgotPassword}
`,
  };
}

export function createTwoFactorMail(to: MailRecipient, publicUrl: string, isEnabled: boolean): Mail {
  return {
    to: to.email,
    subject: isEnabled ? 'Two-factor authentication is on' : 'Two-factor authentication is off',
    text: `Hello ${to.username},

Two-factor authentication was just turned ${isEnabled ? 'on for your Stagedoor account, and your other devices were logged out' : 'off for your Stagedoor account'}.
Wasn’t you? Change your password now:

${publicUrl}${PATHS.forgotPassword}
`,
  };
}

export function createStaffCodeMail(to: MailRecipient, publicUrl: string, code: string): Mail {
  return {
    to: to.email,
    subject: 'Your code for two-factor set-up',
    text: `Hello ${to.username},

Your Stagedoor staff roles work once two-factor authentication is set up. Log in and set it up with this code:

${code}

${publicUrl}${PATHS.adminAccount}

The code works once, for ${STAFF_CODE_HOURS} hours. If you didn’t expect this, don’t give the code to anyone and contact us.
`,
  };
}

export function createBreakMail(to: MailRecipient, until: Date): Mail {
  return {
    to: to.email,
    subject: 'Your break has started',
    text: `Hello ${to.username},

Your break has started. It ends on ${formatMinute(until)}; then you can log in as usual.

Until then you’re logged out and won’t hear from us. Your balance and purchases are safe. If you need us in the meantime, use
the contact form.
`,
  };
}

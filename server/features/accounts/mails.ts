/** Mails are plain text, so that user names cannot inject markup. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { minuteText } from '@stagedoor/contract/atoms/times.ts';
import type { Mail } from '../../kernel/mail.ts';

type To = { username: string; email: string };

export function verificationMail(to: To, publicUrl: string, token: string): Mail {
  return {
    to: to.email,
    subject: 'Confirm your e-mail address',
    text: `Hello ${to.username},

please confirm that this is your address:

${publicUrl}${PATHS.confirmMail}?token=${token}

The link works for 24 hours. If you did not sign up at Stagedoor, ignore this mail: without the link nothing happens.
`,
  };
}

export function resetMail(to: To, publicUrl: string, token: string): Mail {
  return {
    to: to.email,
    subject: 'Set a new password',
    text: `Hello ${to.username},

somebody, we hope you, asked for a new password at Stagedoor. Set it here:

${publicUrl}${PATHS.forgotPassword}?token=${token}

The link works once, for one hour. If it was not you, ignore this mail: your password stays as it is.
`,
  };
}

export function passwordChangedMail(to: To, publicUrl: string): Mail {
  return {
    to: to.email,
    subject: 'Your password was changed',
    text: `Hello ${to.username},

your password at Stagedoor was just changed, and the other devices were logged out. If it was not you, set a new one at
once:

${publicUrl}${PATHS.forgotPassword}
`,
  };
}

export function newDeviceMail(to: To, publicUrl: string, device: string, at: Date): Mail {
  return {
    to: to.email,
    subject: 'New log-in to your account',
    text: `Hello ${to.username},

on ${minuteText(at)} somebody logged in to your account at Stagedoor from a browser that it did not know${device === '' ? '' : `: ${device}`}. If it
was you, there is nothing to do. If not, set a new password at once, which logs out every other device:

${publicUrl}${PATHS.forgotPassword}
`,
  };
}

export function twoFactorMail(to: To, publicUrl: string, isEnabled: boolean): Mail {
  return {
    to: to.email,
    subject: isEnabled ? 'Two-factor log-in is on' : 'Two-factor log-in is off',
    text: `Hello ${to.username},

two-factor log-in was just switched ${isEnabled ? 'on for your account at Stagedoor, and the other devices were logged out' : 'off for your account at Stagedoor'}.
If it was not you, set a new password at once:

${publicUrl}${PATHS.forgotPassword}
`,
  };
}

export function awayMail(to: To, until: Date): Mail {
  return {
    to: to.email,
    subject: 'Your break has begun',
    text: `Hello ${to.username},

your break from Stagedoor has begun. It ends on ${minuteText(until)}: from then on you log in as always.

Until then nobody is logged in to your account, and we send you nothing of what happens in it. Your balance and what you
bought stay yours. If you need us meanwhile, the contact form is open to everybody.
`,
  };
}

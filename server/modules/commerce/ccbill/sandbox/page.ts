import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import { type RecurringTerms, UNLIMITED_REBILLS } from '../flexforms.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#0b0d12;--muted:#575b64;--line:#dcdee2;--strong:#7d828c;--accent:#d22a05;--on:#fff;--raised:#f5f6f8;--danger:#a3123f}
@media(prefers-color-scheme:dark){:root{--paper:#07090d;--ink:#f5f6f8;--muted:#a5a9b2;--line:#262a31;--strong:#666b75;--accent:#fb5a2a;--on:#1c0803;--raised:#111318;--danger:#f77a9b}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/24px "Hanken Grotesk",system-ui,sans-serif;font-variant-numeric:tabular-nums lining-nums}
.mode{background:var(--ink);color:var(--paper);text-align:center;padding:10px 20px;font-weight:600}
main{max-width:440px;margin:0 auto;padding:40px 20px 64px}
svg{width:32px;height:32px;display:block;margin-bottom:24px}
svg path{fill:var(--ink)}svg circle{fill:var(--accent)}
h1{font:620 28px/32px Archivo,"Hanken Grotesk",system-ui,sans-serif;letter-spacing:-.03em;margin:0 0 8px}
p{margin:0 0 16px}.muted{color:var(--muted)}
dl{display:grid;grid-template-columns:1fr auto;gap:8px 16px;border-top:2px solid var(--ink);padding:16px 0;margin:24px 0}
dt{color:var(--muted)}dd{margin:0;text-align:right}dd.total{font-weight:650}
label{display:block;font-weight:550;margin:16px 0 6px}
input{width:100%;height:44px;padding:0 12px;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--strong);border-radius:4px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:16px}
button{width:100%;height:56px;margin-top:24px;border:0;border-radius:4px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
[role=alert]{border-left:3px solid var(--danger);padding:2px 0 2px 12px;color:var(--danger);margin:24px 0}
aside{background:var(--raised);padding:16px;margin-top:32px;font-size:14px;line-height:20px}
aside ul{margin:8px 0 0;padding-left:18px}code{font:inherit;font-weight:600}
`;

function renderFrame(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><div class="mode" role="note">TEST MODE: no card is charged and no real money moves</div>
<main><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M4 29V3h18v26h-3V6H8.6L15 10.2V32L4 29z"/><circle cx="27.5" cy="6" r="3.5"/></svg>
${content}</main></body></html>`;
}

export type PaymentPageInput = {
  priceCents: number;
  recurring: RecurringTerms | undefined;
  orderId: string;
  parameters: ReadonlyMap<string, string>;
  errorMessage: string | undefined;
};

function renderRenewals({ priceCents, periodDays, rebills }: RecurringTerms): string {
  const times = rebills === UNLIMITED_REBILLS ? 'until you cancel' : `${rebills} times`;
  return `<dt>Then every ${periodDays} days, ${times}</dt><dd>${formatCents(asCents(priceCents))}</dd>`;
}

export function renderPaymentPage({
  priceCents,
  recurring,
  orderId,
  parameters,
  errorMessage,
}: PaymentPageInput): string {
  const hidden = [...parameters]
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return renderFrame(
    'Test payment',
    `<h1>Pay by card</h1>
<p class="muted">This page replaces CCBill’s in test mode. It accepts test cards and stores nothing.</p>
<dl><dt>For</dt><dd>${recurring ? 'Subscription' : 'Stagedoor balance'}</dd><dt>Order</dt><dd>${escapeHtml(orderId.slice(0, 8))}</dd><dt>You pay</dt><dd class="total">${formatCents(priceCents)}</dd>${recurring ? renderRenewals(recurring) : ''}</dl>
${errorMessage === undefined ? '' : `<p role="alert">${escapeHtml(errorMessage)}</p>`}
<form method="post">${hidden}
<label for="cardNumber">Card number</label>
<input id="cardNumber" name="cardNumber" inputmode="numeric" autocomplete="off" maxlength="23" required placeholder="4111 1111 1111 1111">
<div class="pair"><div><label for="expDate">Expires</label>
<input id="expDate" name="expDate" inputmode="numeric" autocomplete="off" maxlength="7" required placeholder="MM/YY"></div>
<div><label for="cvv">Security code</label>
<input id="cvv" name="cvv" inputmode="numeric" autocomplete="off" maxlength="4" required placeholder="123"></div></div>
<button type="submit">Pay · ${formatCents(priceCents)}</button></form>
<aside>Test cards, with any future date and any security code:<ul><li><code>4111 1111 1111 1111</code> and <code>4242 4242 4242 4242</code> are approved</li><li><code>4000 0000 0000 0002</code> is declined</li></ul></aside>`,
  );
}

export function renderRefusalPage(reason: string): string {
  return renderFrame(
    'Payment not started',
    `<h1>This payment can’t be started</h1><p role="alert">${escapeHtml(reason)}</p><p class="muted">Go back and start the payment again.</p>`,
  );
}

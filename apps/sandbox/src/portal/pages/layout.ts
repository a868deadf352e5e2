import { html, type Html } from '#libs/http-server';

const places = [
  ['/', 'Pay suppliers'],
  ['/one', 'Pay one supplier'],
  ['/board', 'Live board'],
  ['/controls', 'Clock and faults'],
  ['/customers', 'Customers'],
  ['/trust', 'Certificates'],
] as const;

/**
 * @param options.path of the page, which marks its place in the navigation
 * @param options.stream address of the events that keep the page up to date
 * @param options.isRefreshed whether a browser without script loads the page anew every two seconds
 */
export function createPage(options: {
  title: string;
  path: string;
  content: Html;
  docsUrl: string;
  discoveryUrl: string;
  stream?: string;
  isRefreshed?: boolean;
}): string {
  const { title, path, content, docsUrl, discoveryUrl, stream, isRefreshed } = options;
  const links = places.map(
    ([address, name]) =>
      html`<li><a href="${address}" ${address === path ? html` aria-current="page"` : ''}>${name}</a></li>`,
  );
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Sandbox portal</title>
${isRefreshed === true && html`<noscript><meta http-equiv="refresh" content="2" /></noscript>`}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/portal.css">
<script src="/portal.js" defer></script>
</head>
<body${stream !== undefined && html` data-stream="${stream}"`}>
<a class="skip" href="#main">Skip to the content</a>
<header><p class="brand"><strong>Sandbox portal</strong> <span>a demo TPP, not a bank</span></p>
<nav aria-label="Portal"><ul>${links}<li><a href="${docsUrl}">API reference</a></li></ul></nav></header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${content}
</main>
<footer><ul class="links" aria-label="Documentation"><li><a href="${docsUrl}">API reference</a></li>
<li><a href="${docsUrl}/errors">Error codes</a></li>
<li><a href="${discoveryUrl}">Discovery document</a></li></ul>
<p>These three open over HTTPS: your browser <a href="/trust">warns once about their certificate</a>.</p>
<p>To be the TPP yourself, in a terminal, read <code>docs/tutorials/first-payment.md</code> in the repository.</p>
<p>The portal exists only in the sandbox, listens only on this machine, and moves no money.</p></footer>
</body>
</html>`.text;
}

/** @returns the field that every form carries */
export function formToken(token: string): Html {
  return html`<input type="hidden" name="form_token" value="${token}" />`;
}

/** A text with a button that copies it; without script there is the text alone. */
export function copyable(text: string, what: string): Html {
  return html`<code>${text}</code>
    <button type="button" class="copy" data-copy="${text}" hidden>Copy<span class="hidden"> ${what}</span></button>`;
}

/** A term and what it is, within a list of facts. */
export const fact = (term: string, id: string | undefined, content: Html | string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd${id !== undefined && html` id="${id}"`}>${content}</dd>
  </div>`;

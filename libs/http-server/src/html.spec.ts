import { describe, expect, it } from '@jest/globals';
import { html } from './html.js';

describe('html', () => {
  it('escapes every value, also in lists, and nothing that it made itself', () => {
    const hostile = `<script>alert('x')</script> & "`;
    const escaped = '&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;';
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
    const items = [hostile, html`<b>${hostile}</b>`];
    expect(html`${items}${undefined}${false}${0}`.text).toBe(`${escaped}<b>${escaped}</b>0`);
  });
});

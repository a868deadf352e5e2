import { createHash } from 'node:crypto';

/** Contrast of all text is at least 4.5 to 1, of controls 3 to 1; targets are at least 44 pixels high (WCAG 2.2 AA). */
export const stylesheet = `:root{--ink:#14202e;--soft:#4a5a6b;--line:#76859480;--edge:#66758a;--brand:#0b3d66;--brand-dark:#072a47;--paper:#fff;--back:#eef2f6;--bad:#a8150f;--focus:#ffbf47}
*{box-sizing:border-box}
html{font-size:100%;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--back);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
.frame{max-width:46rem;margin:0 auto;padding:0 1.25rem}
.site-header{background:var(--brand);color:#fff}
.site-header .frame{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1rem;padding-top:.75rem;padding-bottom:.75rem}
.site-header p{margin:0}
.bank-name{font-size:1.25rem;font-weight:700}
.signed-in{font-size:.9375rem}
main{background:var(--paper);border-radius:.5rem;margin-top:1.5rem!important;padding-top:1.5rem!important;padding-bottom:2rem!important;box-shadow:0 1px 3px #14202e26}
main:focus{outline:none}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem}
h2{font-size:1.1875rem;line-height:1.3;margin:0 0 .5rem}
legend h2{margin:0}
p{margin:0 0 1rem}
ul{margin:0 0 1rem;padding-left:1.25rem}
.lead{font-size:1.125rem}
.step{color:var(--soft);margin:0 0 .25rem;font-size:.9375rem}
.hint{color:var(--soft);font-size:.9375rem;margin:0}
a{color:var(--brand)}
.skip-link{position:absolute;left:-100rem}
.skip-link:focus{left:.5rem;top:.5rem;background:var(--focus);color:#000;padding:.5rem .75rem;z-index:1}
.visually-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
section,.decision{margin-top:1.5rem}
.field{margin:0 0 1.25rem}
.field label{display:block;font-weight:600;margin-bottom:.25rem}
input[type=text],input[type=password]{width:100%;min-height:2.875rem;padding:.5rem .75rem;font:inherit;color:inherit;background:#fff;border:2px solid var(--edge);border-radius:.375rem}
input.short{max-width:14rem;letter-spacing:.1em}
.field-error{color:var(--bad);font-weight:600;margin:.375rem 0 0}
.wrong input[type=text],.wrong input[type=password]{border-color:var(--bad)}
.problem{border:3px solid var(--bad);border-radius:.375rem;padding:1rem;margin-bottom:1.5rem}
.problem p{margin:.25rem 0 0}
.problem a{color:var(--bad);font-weight:600}
.button{display:block;width:100%;min-height:3rem;padding:.625rem 1.25rem;font:inherit;font-weight:600;text-align:center;cursor:pointer;color:#fff;background:var(--brand);border:2px solid var(--brand);border-radius:.375rem}
.button:hover{background:var(--brand-dark);border-color:var(--brand-dark)}
.button.secondary{color:var(--brand);background:#fff}
.button.secondary:hover{background:var(--back)}
.decline-form{margin-top:.75rem}
:focus-visible{outline:3px solid var(--focus);outline-offset:0;box-shadow:0 0 0 5px #000}
#consent-summary{background:var(--back);border-radius:.5rem;padding:1rem 1.25rem}
.total{font-size:1.125rem;margin-bottom:.75rem}
.amount{font-size:1.875rem;font-weight:700;font-variant-numeric:tabular-nums;margin-right:.25rem}
dl{margin:0}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.375rem 0;border-top:1px solid var(--line)}
dt{flex:0 0 10rem;color:var(--soft)}
dd{flex:1 1 12rem;margin:0}
.scroll-region{border:1px solid var(--line);border-radius:.375rem;overflow:auto}
.scroll-region.tall{max-height:26rem;background:linear-gradient(var(--paper) 30%,#fff0) top/100% 3rem no-repeat local,linear-gradient(#fff0,var(--paper) 70%) bottom/100% 3rem no-repeat local,linear-gradient(#14202e33,#14202e00) top/100% 1rem no-repeat,linear-gradient(#14202e00,#14202e33) bottom/100% 1rem no-repeat}
.scroll-hint{margin:0 0 .5rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;border-bottom:1px solid var(--line)}
thead th{position:sticky;top:0;background:var(--back);white-space:nowrap}
tbody th{font-weight:600}
tbody tr:last-child>*{border-bottom:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.position{color:var(--soft)}
.account{font-variant-numeric:tabular-nums}
fieldset{border:0;margin:0 0 1rem;padding:0;min-width:0}
fieldset.wrong{border-left:4px solid var(--bad);padding-left:1rem}
legend{float:left;width:100%;padding:0;margin-bottom:.5rem}
legend+*{clear:left}
.choice{position:relative;border:2px solid var(--line);border-radius:.375rem;padding:.75rem 1rem .75rem 3.25rem;margin-bottom:.5rem}
.choice:has(:checked){border-color:var(--brand);background:#f4f8fc}
.choice input{position:absolute;z-index:1;left:1rem;top:.8125rem;width:1.5rem;height:1.5rem;margin:0;accent-color:var(--brand)}
.choice label{display:block;cursor:pointer}
.choice label::after{content:"";position:absolute;inset:0}
.choice .account,dd .account{display:inline-block}
.notes p{margin:0;font-size:.9375rem;color:var(--soft)}
.notes .note{color:var(--ink);font-weight:600}
.next-steps{border-left:4px solid var(--brand);background:var(--back);padding:.75rem 1rem;margin:0 0 1rem;font-size:.9375rem}
.next-steps h3{font-size:1rem;margin:0 0 .25rem}
.next-steps p{margin:0}
.way-back{margin:.75rem 0 0}
.cards{list-style:none;padding:0}
.cards>li{border:2px solid var(--line);border-radius:.375rem;padding:.75rem 1rem;margin-bottom:.5rem}
.cards p{margin:0;color:var(--soft)}
.cards ul{margin:0 0 .5rem}
.cards .ended{color:var(--ink)}
.card{display:inline-block;min-height:2.75rem}
.site-footer{color:var(--soft);font-size:.875rem;padding:1rem 0 2rem}
.site-footer p{margin:0 0 .25rem}
@media (min-width:40rem){
.button{width:auto;min-width:15rem}
.decision{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem}
.decision form{display:contents}
.decision fieldset,.decision .next-steps,.way-back{grid-column:1/-1}
.decision .button{width:100%}
}
@media (max-width:39.99rem){
h1{font-size:1.5rem}
main{border-radius:0;margin-top:0!important}
dt{flex-basis:100%}
.scroll-region.tall{max-height:70vh}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody{display:block}
tbody tr{display:grid;grid-template-columns:auto 1fr auto;gap:0 .5rem;padding:.5rem .75rem;border-bottom:1px solid var(--line)}
tbody th,tbody td{border:0;padding:0;grid-column:2/-1}
tbody .position{grid-column:1;grid-row:1}
tbody th{grid-column:2;grid-row:1}
tbody td.number{grid-column:3;grid-row:1}
}
@media print{.scroll-region.tall{max-height:none;background:none}.decision .button,.decline-form{display:none}}
@media (prefers-reduced-motion:no-preference){.button{transition:background-color .1s}}
@media (forced-colors:active){.choice:has(:checked){outline:3px solid Highlight}:focus-visible{outline:3px solid Highlight}}
`;

const hash = createHash('sha256').update(stylesheet).digest('base64url').slice(0, 16);

/** The address changes with the content, so that browsers may keep it for good. */
export const stylesheetPath = `/assets/${hash}.css`;

import { mix } from '../look/contrast.js';

/** The background of texts and links: in each scheme, the surface with the least contrast. */
export const surfaces = { light: '#eef2f6', dark: '#1b2530' };
const ink = { light: '#14202e', dark: '#0f161d' };

/**
 * Contrast of all text is at least 4.5 to 1, of controls 3 to 1; targets are at least 44 pixels high (WCAG 2.2 AA).
 * @param bank its colours, with that contrast (look/create-look.ts)
 */
export function createStylesheet({ colour, colourDark }: { colour: string; colourDark: string }): string {
  const light = `--brand:${colour};--brand-strong:${mix(colour, '#000000', 0.35)};--header:${colour}`;
  const dark = `--brand:${colourDark};--brand-strong:${mix(colourDark, '#ffffff', 0.35)}`;
  return `:root{color-scheme:light dark;${lightPalette};${light}}
@media screen and (prefers-color-scheme:dark){:root{${darkPalette};${dark}}}
${rules}`;
}

const lightPalette =
  `--ink:${ink.light};--soft:#4a5a6b;--line:#76859480;--edge:#66758a;--paper:#fff;--field:#fff;--chosen:#f4f8fc;` +
  `--back:${surfaces.light};--bad:#a8150f;--focus:#ffbf47;--shade:#14202e33;--on-brand:#fff`;

const darkPalette =
  `--ink:#e9eef3;--soft:#b3c0cd;--line:#8fa0b080;--edge:#8c9bab;--paper:${surfaces.dark};--field:${ink.dark};--chosen:#16202a;` +
  `--back:#121a22;--bad:#ffa39b;--focus:#ffbf47;--shade:#00000080;--on-brand:${ink.dark}`;

const rules = `*{box-sizing:border-box}
html{font-size:100%;-webkit-text-size-adjust:100%;background:var(--back)}
body{margin:0;container:page/inline-size;min-height:100vh;background:var(--back);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
bdi{unicode-bidi:isolate;white-space:pre-wrap}
.frame{max-width:46rem;margin:0 auto;padding:0 min(1.25rem,6.25vw)}
.site-header{background:var(--header);color:#fff}
.site-header .frame{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1rem;padding-top:.75rem;padding-bottom:.75rem}
.site-header p{margin:0}
.bank-name{font-size:1.25rem;font-weight:700;margin-right:auto!important}
.logo{display:inline-block;height:1.75rem;max-width:10rem;margin-right:.625rem;vertical-align:middle}
.signed-in,.language{font-size:.9375rem}
.language{order:1}
.language a{display:inline-block;padding:.125rem 0;color:inherit}
main{background:var(--paper);border-radius:.5rem;margin-top:1.5rem!important;padding-top:1.5rem!important;padding-bottom:2rem!important;box-shadow:0 1px 3px var(--shade)}
main:focus{outline:none}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem}
h2{font-size:1.1875rem;line-height:1.3;margin:0 0 .5rem}
legend h2{margin:0}
p{margin:0 0 1rem}
ul{margin:0 0 1rem;padding-left:1.25rem}
.lead{font-size:1.125rem}
#one-time-code-hint{margin-top:1rem}
.step{color:var(--soft);margin:0 0 .25rem;font-size:.9375rem}
.hint{color:var(--soft);font-size:.9375rem;margin:0}
a{color:var(--brand)}
.skip-link{position:absolute;left:-100rem}
.skip-link:focus{left:.5rem;top:.5rem;background:var(--focus);color:#000;padding:.5rem .75rem;z-index:1}
.visually-hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
section,.decision{margin-top:1.5rem}
.field{margin:0 0 1.25rem}
.field label{display:block;font-weight:600;margin-bottom:.25rem}
input[type=text],input[type=password],select{width:100%;min-height:2.875rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--field);border:2px solid var(--edge);border-radius:.375rem}
input.short{max-width:14rem;letter-spacing:.1em}
.field-error{color:var(--bad);font-weight:600;margin:.375rem 0 0}
.wrong input[type=text],.wrong input[type=password]{border-color:var(--bad)}
.problem{border:3px solid var(--bad);border-radius:.375rem;padding:1rem;margin-bottom:1.5rem}
.notice{border:3px solid var(--brand);border-radius:.375rem;padding:.75rem 1rem;margin-bottom:1rem;font-weight:600}
.problem p{margin:.25rem 0 0}
.problem a{color:var(--bad);font-weight:600}
.button{display:block;width:100%;min-height:3rem;padding:.625rem min(1.25rem,4vw);font:inherit;font-weight:600;text-align:center;cursor:pointer;color:var(--on-brand);background:var(--brand);border:2px solid var(--brand);text-decoration:none;border-radius:.375rem}
.button:hover{background:var(--brand-strong);border-color:var(--brand-strong)}
.button.secondary{color:var(--brand);background:var(--paper)}
.button.secondary:hover{background:var(--back)}
.decline-form{margin-top:.75rem}
:focus-visible{outline:3px solid var(--focus);outline-offset:0;box-shadow:0 0 0 5px #000}
#consent-summary{background:var(--back);border-radius:.5rem;padding:1rem 1.25rem}
.total{font-size:1.125rem;margin-bottom:.75rem}
.amount{font-size:min(1.875rem,8vw);font-weight:700;font-variant-numeric:tabular-nums;white-space:nowrap;margin-right:.25rem}
.long .amount{font-size:min(1.5rem,5vw)}
.money{white-space:nowrap;font-size:min(1em,5vw);font-variant-numeric:tabular-nums}
dl{margin:0}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.375rem 0;border-top:1px solid var(--line)}
dt{flex:0 0 10rem;color:var(--soft)}
dd{flex:1 1 12rem;min-width:0;margin:0}
.look-first{border:2px solid var(--bad);border-left-width:.5rem;border-radius:.375rem;background:var(--paper);margin:0 0 1rem;padding:.75rem 1rem}
.look-first.calm{border-color:var(--brand)}
.look-first h2{margin:0 0 .25rem}
.look-first ul{list-style:none;margin:0;padding:0}
.look-first li{padding:.25rem 0;border-top:1px solid var(--line);line-height:1.35}
.look-first li:first-child{border-top:0}
.look-first a{display:inline-block;color:inherit;max-width:100%}
.why{display:block;font-size:.9375rem}
.order{margin:0 0 .5rem;font-size:.9375rem}
.link{display:inline-block;min-height:1.5rem;padding:0 .25rem;font:inherit;color:var(--brand);background:none;border:0;text-decoration:underline;cursor:pointer}
.scroll-region{border:1px solid var(--line);border-radius:.375rem;overflow:auto}
.scroll-region.tall{max-height:26rem;background:linear-gradient(var(--paper) 30%,transparent) top/100% 3rem no-repeat local,linear-gradient(transparent,var(--paper) 70%) bottom/100% 3rem no-repeat local,linear-gradient(var(--shade),transparent) top/100% 1rem no-repeat,linear-gradient(transparent,var(--shade)) bottom/100% 1rem no-repeat}
.scroll-hint{margin:0 0 .5rem}
.skip-list{display:none;margin:0 0 .5rem}
table{width:100%;overflow-wrap:break-word;border-collapse:collapse;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;border-bottom:1px solid var(--line)}
tbody th{font-weight:600}
tbody tr:last-child>*{border-bottom:0}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.position{color:var(--soft)}
.account{font-variant-numeric:tabular-nums}
.unbroken{white-space:nowrap;font-size:min(1em,5vw)}
.more{display:block;color:var(--soft);font-size:.875rem;font-weight:400}
.label{color:var(--soft);font-size:.875rem}
.more.note{color:var(--ink);font-weight:600}
.more.mark{color:var(--bad);font-weight:600}
.position:target{color:#000;background:var(--focus);font-weight:700;scroll-margin:6rem}
fieldset{border:0;margin:0 0 1rem;padding:0;min-width:0}
fieldset.wrong{border-left:4px solid var(--bad);padding-left:1rem}
legend{float:left;width:100%;padding:0;margin-bottom:.5rem}
legend+*{clear:left}
.choice{position:relative;border:2px solid var(--line);border-radius:.375rem;padding:.75rem min(1rem,5vw) .75rem min(3.25rem,16vw);margin-bottom:.5rem}
.choice:has(:checked){border-color:var(--brand);background:var(--chosen)}
.choice input{position:absolute;z-index:1;left:min(1rem,4vw);top:.8125rem;width:min(1.5rem,8vw);height:min(1.5rem,8vw);margin:0;accent-color:var(--brand)}
.choice label{display:block;cursor:pointer}
.choice label::after{content:"";position:absolute;inset:0}
.choice .account,dd .account{display:inline-block}
.choice.unusable{border-style:dashed;background:var(--back)}
.choice.unusable label{color:var(--soft);cursor:default}
.fact{margin:.25rem 0 0;font-size:.9375rem}
.notes p{margin:0;font-size:.9375rem;color:var(--soft)}
.notes .note{color:var(--ink);font-weight:600}
.next-steps{border-left:4px solid var(--brand);background:var(--back);padding:.75rem 1rem;margin:0 0 1rem;font-size:.9375rem}
.next-steps h3{font-size:1rem;margin:0 0 .25rem}
.next-steps p{margin:0}
.way-back{margin:.75rem 0 0}
.cards{list-style:none;padding:0}
.cards>li{border:2px solid var(--line);border-radius:.375rem;padding:.75rem min(1rem,5vw);margin-bottom:.5rem}
.cards .button{margin:.5rem 0 .25rem}
.cards p,.cards dl{margin:0;color:var(--soft)}
.cards dd{color:var(--ink)}
.cards ul{margin:0 0 .5rem}
.cards .ended{color:var(--ink)}
.card{display:inline-block}
a.card{min-height:2.75rem}
#outcome{margin-bottom:1rem}
.site-footer{color:var(--soft);font-size:.875rem;padding:1rem 0 2rem}
.site-footer p{margin:0 0 .25rem}
.site-footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:0 0 .5rem;padding:0}
.site-footer li a{display:inline-block;min-height:1.5rem}
textarea{display:block;width:100%;min-height:4.5rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--field);border:2px solid var(--edge);border-radius:.375rem}
details{margin:0}
.clusters{list-style:none;padding:0;border-top:1px solid var(--line)}
.clusters>li{padding:.5rem 0;border-bottom:1px solid var(--line)}
.cards .clusters>li:last-child{border-bottom:0}
.clusters ul{margin:.25rem 0 .25rem}
.safety{border-left:.5rem solid var(--focus);padding:.75rem 1rem;margin:1rem 0;font-weight:600;background:var(--back)}
.notice p{margin:0 0 .25rem}
summary{display:inline-block;min-height:1.5rem;color:var(--brand);text-decoration:underline;cursor:pointer}
summary~*{margin-top:.25rem}
table.payments,.payments tbody{display:block}
.payments thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.payments tbody tr{display:grid;grid-template-columns:auto minmax(0,1fr);gap:0 .75rem;padding:.5rem .75rem;border-bottom:1px solid var(--line)}
.payments tbody tr:last-child{border-bottom:0}
.payments tbody tr>*{border:0;padding:0;grid-column:1/-1}
.payments tbody .position{grid-column:1;grid-row:1}
.payments tbody .number{grid-column:2;grid-row:1;font-weight:600;font-size:min(1em,5vw)}
@container page (min-width:40rem){
.payments tbody tr{grid-template-columns:2.25rem minmax(0,1fr) minmax(0,1fr) minmax(7rem,max-content);grid-template-rows:auto 1fr}
.payments tbody th,.payments tbody .account{grid-column:2}
.payments tbody th{grid-row:1}
.payments tbody .account{grid-row:2}
.payments tbody .reference{grid-column:3;grid-row:1/span 2}
.payments tbody .day{grid-column:4;grid-row:2;text-align:right}
.payments tbody .number{grid-column:4;grid-row:1}
.button{width:fit-content;min-width:15rem}
.decision{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:0 1rem}
.decision form{display:contents}
.decision .decline-form{display:block;margin:0;align-self:end}
.decision{align-items:end}
.decision fieldset,.decision .next-steps,.way-back{grid-column:1/-1}
.decision .button{width:100%;min-width:0}
}
@container page (max-width:39.99rem){
h1{font-size:1.375rem;margin-bottom:.5rem}
.step{margin:0;font-size:.875rem}
main{border-radius:0;margin-top:0!important;padding-top:.75rem!important}
.site-header .frame{padding-top:.375rem;padding-bottom:.375rem}
.bank-name{font-size:1.0625rem}
.signed-in{order:2;flex-basis:100%;font-size:.875rem;line-height:1.25}
#consent-summary{background:none;padding:0;margin-top:.5rem}
#consent-summary .lead{margin-top:.75rem}
.total{margin-bottom:.75rem;font-size:1rem;line-height:1.3}
.look-first{padding:.5rem .75rem;font-size:.9375rem}
.look-first h2{font-size:1rem}
.look-first li{padding:.125rem 0;line-height:1.3}
.amount{font-size:min(1.75rem,8.5vw)}
dl div{display:block;padding:.5rem 0;line-height:1.35}
dt{font-size:.875rem}
.scroll-region.tall{max-height:none;background:none}
.scroll-hint{display:none}
.skip-list{display:block}
}
@media print{html,body,main,.site-header{background:none;color:#000}main{box-shadow:none}.scroll-region.tall{max-height:none;background:none}form,.decision,.order,.scroll-hint,.skip-list,.language,.skip-link,.ways,.way-back,#more-time,#check-again{display:none!important}}
@media (prefers-reduced-motion:no-preference){.button{transition:background-color .1s}}
@media (forced-colors:active){.choice:has(:checked){outline:3px solid Highlight}:focus-visible{outline:3px solid Highlight}}
`;

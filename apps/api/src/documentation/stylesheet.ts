/** Style of the documentation pages and Swagger UI, in the colours of the customer's pages. */
export const stylesheet = `:root{color-scheme:light dark;--link:#0b3d66;--ink:#14202e;--soft:#4a5a6b;--line:#d3dbe3;--brand:#0b3d66;--brand-dark:#072a47;--paper:#fff;--back:#eef2f6;--focus:#ffbf47}
@media (prefers-color-scheme:dark){:root{--link:#8cc4f0;--ink:#e8edf3;--soft:#b6c2cf;--line:#3a4754;--paper:#1c2022;--back:#12161a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--back);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
.frame{max-width:62rem;margin:0 auto;padding:0 1.5rem}
.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.site-header{background:var(--brand);color:#fff}
.site-header .frame{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.25rem 1.5rem;padding-top:.75rem;padding-bottom:.75rem}
.site-header p{margin:0}
.bank-name{font-size:1.1875rem;font-weight:700}
.bank-name span{font-weight:400;opacity:.85}
.site-header nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.site-header a{color:#fff;padding:.25rem 0}
.paper{background:var(--paper);border-radius:.5rem;margin-top:1.5rem!important;margin-bottom:2.5rem!important;padding-top:1.75rem!important;padding-bottom:2rem!important;box-shadow:0 1px 3px #14202e26}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.25rem;line-height:1.3;margin:2rem 0 .5rem}
p{margin:0 0 1rem}
ul{margin:0 0 1rem;padding-left:1.25rem}
li{margin:.25rem 0}
code{font:.9375em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
h1 code{font-size:1.5rem}
.lead{font-size:1.125rem}
.step,.hint{color:var(--soft);margin:0 0 .5rem}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
dl{margin:0 0 1rem}
dl div{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.5rem 0;border-top:1px solid var(--line)}
dl div:last-child{border-bottom:1px solid var(--line)}
dt{flex:0 0 8rem;color:var(--soft)}
dd{flex:1 1 14rem;margin:0}
.scroll-region{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:600;white-space:nowrap}
tbody th{font-weight:400;white-space:nowrap}
.frame.wide{max-width:84rem}
.paper.wide{padding-top:.5rem!important}
.loading{color:var(--soft);padding:2rem 0}
.swagger-ui{overflow-wrap:normal}
.swagger-ui .dark-mode-toggle{display:none}
.swagger-ui .parameters-col_name{min-width:16rem}
.swagger-ui .topbar{background:transparent;padding:1rem 0 0}
.swagger-ui .topbar .wrapper{padding:0}
.swagger-ui .topbar a.link{display:none}
.swagger-ui .topbar .download-url-wrapper{justify-content:flex-start}
.swagger-ui .topbar .download-url-wrapper .select-label{color:var(--ink);margin:0}
.swagger-ui .topbar .download-url-wrapper .select-label span{padding:0 .75rem 0 0;text-align:left;flex:none}
.swagger-ui .topbar .download-url-wrapper .select-label select{border:2px solid var(--link);min-width:20rem}
.swagger-ui .wrapper{padding:0;max-width:none}
.swagger-ui .info a,.swagger-ui .info .url,.swagger-ui .renderedMarkdown a{color:var(--link)}
.swagger-ui .info .title small,.swagger-ui .info .title small.version-stamp{background:#46566a}
.swagger-ui .info .title small pre.version{color:#fff;background:transparent}
.swagger-ui .opblock .opblock-summary-method{color:#14202e;text-shadow:none}
.swagger-ui .parameter__in,.swagger-ui .parameter__deprecated{color:var(--soft)}
.swagger-ui table.headers td.header-col,.swagger-ui .examples-select__section-label{color:var(--ink)}
.swagger-ui .highlight-code .microlight,html.dark-mode .swagger-ui .opblock .opblock-body .highlight-code pre.microlight{background:#14181b!important}
.swagger-ui .information-container{padding:0}
.swagger-ui .info{margin:1.5rem 0}
.swagger-ui .info .title{color:var(--ink)}
.swagger-ui .scheme-container{box-shadow:none;border-top:1px solid var(--line);padding:1rem 0;margin:0}
.swagger-ui .opblock-tag{color:var(--ink)}
.swagger-ui .opblock .opblock-summary-path{max-width:none}
.swagger-ui .opblock .opblock-summary-description{color:var(--soft)}
@media (max-width:44rem){.paper{border-radius:0;margin-top:0!important}
.scroll-region thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.scroll-region tr{display:grid;grid-template-columns:1fr auto;padding:.5rem 0;border-bottom:1px solid var(--line)}
.scroll-region tbody th,.scroll-region tbody td{padding:.125rem 0;border:0;white-space:normal}
.scroll-region td:nth-child(3){grid-column:1/-1}
.swagger-ui .opblock-tag{flex-wrap:wrap}
.swagger-ui .opblock-tag small{flex:1 0 100%;order:1;padding:0}
.swagger-ui{overflow-wrap:anywhere}
.swagger-ui .topbar .download-url-wrapper .select-label{flex-wrap:wrap}
.swagger-ui .topbar .download-url-wrapper .select-label select{flex:1 0 100%;min-width:0;width:100%}
.swagger-ui .info .title{font-size:1.5rem}
.swagger-ui .parameters-col_name{min-width:0}
.swagger-ui .opblock .opblock-summary{flex-wrap:wrap}
.swagger-ui .opblock .opblock-summary-control{flex-wrap:wrap;min-width:0}
.swagger-ui .opblock .opblock-section-header{flex-wrap:wrap}
.swagger-ui .opblock-body table,.swagger-ui .opblock-body thead,.swagger-ui .opblock-body tbody,.swagger-ui .opblock-body tr,.swagger-ui .opblock-body td{display:block;width:100%;max-width:100%}
.swagger-ui .opblock-body thead{display:none}}
`;

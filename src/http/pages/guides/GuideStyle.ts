// The style of the guides, in the colours of the console (console/src/styles/tokens.css).

/** Part of the page. Its policy allows exactly this text. */
export const guideStyle = `
:root{color-scheme:light dark;--canvas:light-dark(#f5f6f7,#0b0d0f);--surface:light-dark(#fff,#121518);--line:light-dark(#e5e8eb,#22272c);--field:light-dark(#868f9b,#6c7681);--ink:light-dark(#14171b,#eceff2);--ink-2:light-dark(#4a525d,#aeb6bf);--link:light-dark(#0b57a4,#7fb8f2);--focus:light-dark(#1f6fd6,#5aa7f5);--sunken:light-dark(#eef0f2,#1a1e22)}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--ink);font:16px/1.6 system-ui,sans-serif;overflow-wrap:break-word}
a{color:var(--link)}:focus-visible{outline:2px solid var(--focus);outline-offset:2px}
header{display:flex;flex-wrap:wrap;gap:8px 20px;align-items:center;padding:10px 20px;background:var(--surface);border-bottom:1px solid var(--line)}
header .name{font-weight:650;color:var(--ink);text-decoration:none}
form{display:flex;gap:8px;margin-left:auto}input,button{font:inherit;padding:4px 10px;border:1px solid var(--field);border-radius:6px;background:var(--canvas);color:var(--ink);min-width:0}
.page{display:grid;grid-template-columns:250px minmax(0,1fr);gap:32px;max-width:1240px;margin:0 auto;padding:20px}
nav ul,.all{list-style:none;margin:0;padding:0;font-size:14px}nav a{display:block;padding:3px 8px;border-radius:6px;color:var(--ink-2);text-decoration:none}
nav a[aria-current]{background:var(--sunken);color:var(--ink);font-weight:600}
main{min-width:0;max-width:880px}h1{line-height:1.2;margin-top:4px}h2{margin-top:40px;border-top:1px solid var(--line);padding-top:20px}
code,pre{font:13px/1.55 ui-monospace,monospace}code{background:var(--sunken);border-radius:4px;padding:1px 4px}
pre{background:var(--sunken);border:1px solid var(--line);border-radius:8px;padding:12px 14px;overflow:auto}pre code{background:none;padding:0}
.table{overflow-x:auto}table{border-collapse:collapse;font-size:14px}th,td{border-bottom:1px solid var(--line);padding:6px 12px 6px 0;text-align:left;vertical-align:top}
td code{white-space:normal}.all{columns:2;font-size:16px}.found p{margin:2px 0 14px;color:var(--ink-2);font-size:14px}
@media(max-width:800px){.page{grid-template-columns:minmax(0,1fr)}nav{order:2;border-top:1px solid var(--line);padding-top:16px}.all{columns:1}form{margin-left:0;width:100%}input{flex:1}}
`

/** The hash of the style: the policy of the pages allows no other. */
export const guideStyleHash = "sha256-RQFhLIQPFqXdeIX6TbYE8arwEqM2wji8HzxmoBSrxDA="

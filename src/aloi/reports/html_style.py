"""The look of the HTML report: one style sheet for light and dark, and for paper."""

STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1c2024; --soft: #60646c; --line: #d9dade; --box: #f6f6f8;
  --pass: #18794e; --fail: #c62a2f; --error: #ad5700; --bar: #3e63dd; }
@media (prefers-color-scheme: dark) { :root { --back: #16181b; --text: #edeef0; --soft: #b0b4ba; --line: #363a3f;
  --box: #212428; --pass: #4cc38a; --fail: #ff8b8e; --error: #ffb454; --bar: #849dff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 2rem 1rem 4rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.1rem; font-weight: 600; color: var(--soft); margin: 0; overflow-wrap: anywhere; }
.headline { font-size: 1.7rem; font-weight: 650; line-height: 1.25; margin: .3rem 0 .6rem; }
.warning { border-left: .25rem solid var(--error); padding: .2rem .8rem; background: var(--box); }
.bar { position: relative; height: 1.4rem; margin: 1rem 0 .2rem; background: var(--box); border: 1px solid var(--line);
  border-radius: .3rem; }
.bar .interval { position: absolute; top: .3rem; bottom: .3rem; background: var(--bar); opacity: .45;
  border-radius: .2rem; min-width: 2px; }
.bar .rate { position: absolute; top: 0; bottom: 0; width: 3px; margin-left: -1px; background: var(--bar); }
.scale { display: flex; justify-content: space-between; color: var(--soft); font-size: .8rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .8rem 1.5rem; margin: 1.5rem 0; }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin-top: 1.5rem; }
th { text-align: left; color: var(--soft); font-size: .85rem; font-weight: 600; }
th, td { padding: .5rem .6rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.key { overflow-wrap: anywhere; min-width: 8rem; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
.verdict { font-weight: 650; white-space: nowrap; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .error { color: var(--error); }
summary { cursor: pointer; overflow-wrap: anywhere; }
details h3 { font-size: .85rem; color: var(--soft); margin: .8rem 0 .2rem; }
pre { margin: 0; padding: .6rem .8rem; background: var(--box); border-radius: .3rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font: .85rem/1.45 ui-monospace, monospace; max-height: 30rem; overflow-y: auto; }
ul { margin: .2rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
@media print { pre { max-height: none; } }
"""

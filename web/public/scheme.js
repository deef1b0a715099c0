// Sets the colour scheme before the first paint. A file of its own, since the content security policy allows no inline script.
(function () {
  var stored = null;
  try {
    stored = window.localStorage.getItem('aloi.scheme');
  } catch {
    // Storage is switched off: follow the system.
  }
  var system = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  var scheme = stored === 'light' || stored === 'dark' ? stored : system;
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();

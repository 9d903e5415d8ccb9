// Runs before the first paint, as a file because the page allows no inline script: the static host the scripts came from
// becomes the public path of every later chunk, and a stored or preferred dark ground is there from the start.
(() => {
  window.publicPath = document.currentScript.src.replace(/boot\.js.*$/, '');
  let choice = null;
  try {
    choice = localStorage.getItem('appearance');
  } catch {
    // Storage may be forbidden; the system's preference stands.
  }
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = choice === 'dark' || (choice !== 'light' && prefersDark) ? 'dark' : 'light';
})();

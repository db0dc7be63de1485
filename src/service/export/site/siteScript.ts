/**
 * Contains the site's scripts as text. The site is readable without them. They add the search, the copy buttons,
 * the choice of the theme and the menu on narrow screens.
 */

const THEME_KEY = 'site-theme';

/** Script that sets the chosen theme. It runs before the first paint, so that the page does not flicker. */
export const themeScript = `(function () {
  'use strict';
  var root = document.documentElement;
  root.classList.add('js');
  try {
    var theme = localStorage.getItem('${THEME_KEY}');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch (error) {
    // Without storage, the page has the system's theme.
  }
})();
`;

export const siteScript = `(function () {
  'use strict';
  var root = document.documentElement;
  var words = document.body.dataset;
  var base = new URL('../', document.currentScript.src);
  var byId = function (id) { return document.getElementById('site:' + id); };
  var each = function (selector, act) { Array.prototype.forEach.call(document.querySelectorAll(selector), act); };

  // Theme
  var themeButton = byId('theme');
  var systemIsDark = matchMedia('(prefers-color-scheme: dark)');
  themeButton.addEventListener('click', function () {
    var current = root.dataset.theme || (systemIsDark.matches ? 'dark' : 'light');
    var next = current === 'dark' ? 'light' : 'dark';
    root.dataset.theme = next;
    try { localStorage.setItem('${THEME_KEY}', next); } catch (error) { /* Without storage, only this page changes. */ }
  });

  // Navigation on narrow screens
  var side = byId('navigation');
  var menuButton = byId('menu');
  var closeButton = byId('close');
  var isNarrow = matchMedia('(max-width: 56rem)');
  function setSide(isOpen) {
    root.classList.toggle('side-open', isOpen);
    menuButton.setAttribute('aria-expanded', String(isOpen));
  }
  menuButton.setAttribute('role', 'button');
  setSide(false);
  menuButton.addEventListener('click', function (event) {
    event.preventDefault();
    setSide(true);
    closeButton.focus();
  });
  menuButton.addEventListener('keydown', function (event) {
    if (event.key === ' ') { event.preventDefault(); menuButton.click(); }
  });
  closeButton.addEventListener('click', function () { setSide(false); menuButton.focus(); });
  document.addEventListener('click', function (event) {
    if (!root.classList.contains('side-open')) return;
    if (!side.contains(event.target) && !menuButton.contains(event.target)) setSide(false);
  });
  side.addEventListener('focusout', function (event) {
    if (event.relatedTarget && !side.contains(event.relatedTarget)) setSide(false);
  });
  document.addEventListener('keydown', function (event) {
    if (event.key !== 'Escape') return;
    if (root.classList.contains('side-open')) { setSide(false); menuButton.focus(); }
    each('.menu[open]', function (menu) { menu.open = false; menu.querySelector('summary').focus(); });
  });
  document.addEventListener('click', function (event) {
    each('.menu[open]', function (menu) { if (!menu.contains(event.target)) menu.open = false; });
  });
  var current = side.querySelector('[aria-current]');
  if (current && !isNarrow.matches) {
    var place = current.offsetTop - side.offsetTop - side.clientHeight / 2;
    if (place > 0) side.scrollTop = place;
  }

  // Contents of the page
  var contents = byId('contents');
  if (contents) {
    var details = contents.querySelector('details');
    var isWide = matchMedia('(min-width: 75.01rem)');
    var fit = function () { details.open = isWide.matches; };
    isWide.addEventListener('change', fit);
    fit();
    details.querySelector('summary').addEventListener('click', function (event) {
      if (isWide.matches) event.preventDefault();
    });
    var entries = Array.prototype.map.call(contents.querySelectorAll('a'), function (link) {
      return { link: link, heading: document.getElementById(decodeURIComponent(link.hash.slice(1))) };
    }).filter(function (entry) { return entry.heading; });
    var mark = function () {
      var isAtEnd = innerHeight + scrollY >= document.body.scrollHeight - 4;
      var shown = null;
      entries.forEach(function (entry) {
        if (isAtEnd ? entry.heading.getBoundingClientRect().top < innerHeight * 0.6 : entry.heading.getBoundingClientRect().top < 120) shown = entry;
      });
      entries.forEach(function (entry) {
        if (entry === shown) entry.link.setAttribute('aria-current', 'true');
        else entry.link.removeAttribute('aria-current');
      });
    };
    var isWaiting = false;
    addEventListener('scroll', function () {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(function () { isWaiting = false; mark(); });
    }, { passive: true });
    mark();
  }

  // Code and tables
  each('.code', function (figure) {
    var button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = words.copy;
    button.addEventListener('click', function () {
      copy(figure.querySelector('code').textContent).then(function () {
        button.textContent = words.copied;
        setTimeout(function () { button.textContent = words.copy; }, 1500);
      }, function () {});
    });
    figure.appendChild(button);
  });
  function copy(text) {
    if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
    return new Promise(function (resolve, reject) {
      var field = document.createElement('textarea');
      field.value = text;
      field.className = 'skip';
      document.body.appendChild(field);
      field.select();
      var isDone = document.execCommand('copy');
      field.remove();
      if (isDone) resolve(); else reject(new Error('copy'));
    });
  }
  // The keyboard must reach every element that scrolls sideways.
  each('.code pre, .table', function (box) { if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; });

  // Search: the index is a script that is loaded when the search is first used.
  var input = byId('search');
  var results = byId('results');
  var index = null;
  var selected = -1;
  function load() {
    if (load.isDone || !words.index) return;
    load.isDone = true;
    var script = document.createElement('script');
    script.src = new URL(words.index, base);
    script.onload = function () { index = window.siteSearchIndex || []; show(); };
    document.head.appendChild(script);
  }
  function fold(text) {
    return text.normalize('NFD').replace(/[\\u0300-\\u036f]/g, '').toLowerCase();
  }
  function score(text, terms) {
    var folded = fold(text);
    var total = 0;
    for (var i = 0; i < terms.length; i++) {
      var at = folded.indexOf(terms[i]);
      if (at < 0) return 0;
      var isStart = at === 0 || !/[\\p{L}\\p{N}]/u.test(folded.charAt(at - 1));
      total += (at === 0 ? 4 : isStart ? 3 : 1) + terms[i].length / folded.length;
    }
    return total;
  }
  /** Finds pages and sections. An entry has the file, title and description, then headings with fragments. */
  function find(query) {
    var terms = fold(query).split(/\\s+/).filter(Boolean);
    var found = [];
    if (terms.length === 0) return found;
    index.forEach(function (entry) {
      var own = score(entry[1], terms);
      if (own > 0) found.push({ score: own * 2, file: entry[0], title: entry[1], note: entry[2] });
      else if (score(entry[2], terms) > 0) found.push({ score: 1, file: entry[0], title: entry[1], note: entry[2] });
      for (var i = 3; i < entry.length; i += 2) {
        var rank = score(entry[i], terms) || score(entry[1] + ' ' + entry[i], terms) / 2;
        if (rank > 0 && !(own > 0 && score(entry[i], terms) === 0)) found.push({ score: rank, file: entry[0] + '#' + entry[i + 1], title: entry[i], note: entry[1] });
      }
    });
    return found.sort(function (one, other) { return other.score - one.score; }).slice(0, 12);
  }
  function show() {
    var query = input.value.trim();
    results.hidden = query === '' || !index;
    input.setAttribute('aria-expanded', String(!results.hidden));
    select(-1);
    if (results.hidden) return;
    results.textContent = '';
    var found = find(query);
    found.forEach(function (entry, place) {
      var link = document.createElement('a');
      link.href = new URL(entry.file, base);
      link.id = 'site:result-' + place;
      link.setAttribute('role', 'option');
      link.tabIndex = -1;
      var title = document.createElement('b');
      title.textContent = entry.title;
      var note = document.createElement('small');
      note.textContent = entry.note;
      link.append(title, note);
      results.appendChild(link);
    });
    if (found.length === 0) {
      var none = document.createElement('p');
      none.textContent = words.none;
      results.appendChild(none);
    } else select(0);
  }
  function select(place) {
    var links = results.querySelectorAll('a');
    if (links[selected]) links[selected].removeAttribute('aria-selected');
    selected = links.length === 0 || place < 0 ? -1 : place % links.length;
    if (selected < 0) { input.removeAttribute('aria-activedescendant'); return; }
    links[selected].setAttribute('aria-selected', 'true');
    links[selected].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', links[selected].id);
  }
  input.addEventListener('focus', load);
  input.addEventListener('input', function () { load(); show(); });
  input.addEventListener('keydown', function (event) {
    var count = results.querySelectorAll('a').length;
    if (event.key === 'ArrowDown' && count) { event.preventDefault(); select(selected + 1); }
    else if (event.key === 'ArrowUp' && count) { event.preventDefault(); select(selected - 1 + count); }
    else if (event.key === 'Enter' && selected >= 0) { event.preventDefault(); results.querySelectorAll('a')[selected].click(); }
    else if (event.key === 'Escape') { input.value = ''; show(); input.blur(); }
  });
  results.addEventListener('click', function () { results.hidden = true; });
  document.addEventListener('click', function (event) {
    if (!event.target.closest || !event.target.closest('.search')) results.hidden = true;
  });
  document.addEventListener('keydown', function (event) {
    var isTyping = /^(?:input|textarea|select)$/i.test(event.target.tagName);
    if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
})();
`;

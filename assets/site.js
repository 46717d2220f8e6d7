/* Every page is complete without this file. It adds the theme switch, copy buttons, and menus that close by themselves.
   A classic script, loaded before the body, so that the theme is set before the first paint. */
(function () {
	'use strict';

	var root = document.documentElement;
	var modes = ['auto', 'light', 'dark'];
	var mode = 'auto';

	root.classList.add('js');
	try {
		mode = localStorage.getItem('theme') || 'auto';
	} catch (e) { /* storage may be off: the choice then lasts for this page */ }
	if (modes.indexOf(mode) < 0)
		mode = 'auto';

	function paint() {
		if (mode === 'auto')
			root.removeAttribute('data-theme');
		else
			root.setAttribute('data-theme', mode);
	}

	function nameTheme(button) {
		var text = 'Theme: ' + mode;
		button.querySelector('span').textContent = text;
		button.setAttribute('aria-label', text);
	}

	function nextTheme(button) {
		mode = modes[(modes.indexOf(mode) + 1) % modes.length];
		paint();
		nameTheme(button);
		try {
			localStorage.setItem('theme', mode);
		} catch (e) { /* as above */ }
	}

	/* What a reader wants to paste: the typed lines of a console, all of anything else. */
	function copyText(code) {
		var typed = code.querySelectorAll('.in');
		if (!typed.length)
			return code.textContent.replace(/\n$/, '');
		return Array.prototype.map.call(typed, function (line) { return line.textContent; }).join('\n');
	}

	function say(button, text) {
		var status = document.getElementById('said');
		if (!status) {
			status = document.createElement('p');
			status.id = 'said';
			status.className = 'sr';
			status.setAttribute('role', 'status');
			document.getElementById('main').appendChild(status);
		}
		status.textContent = text;
		button.textContent = text;
		setTimeout(function () { button.textContent = 'Copy'; status.textContent = ''; }, 1600);
	}

	function copyByHand(text) {
		var box = document.createElement('textarea'), done;
		box.value = text;
		box.className = 'sr';
		document.body.appendChild(box);
		box.select();
		done = document.execCommand('copy');
		box.remove();
		return done;
	}

	function copy(button) {
		var code = button.closest('.code').querySelector('pre code'), text = copyText(code);
		function byHand() { say(button, copyByHand(text) ? 'Copied' : 'Select and copy'); }
		if (navigator.clipboard)
			navigator.clipboard.writeText(text).then(function () { say(button, 'Copied'); }, byHand);
		else
			byHand();
	}

	/* A link into a closed disclosure opens it. */
	function openTarget() {
		var at = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
		var box = at && at.closest('details');
		if (box && !box.open) {
			box.open = true;
			at.scrollIntoView();
		}
	}

	paint();
	document.addEventListener('click', function (event) {
		var theme = event.target.closest('.theme'), button = event.target.closest('.copy');
		var menu = document.querySelector('.switch[open]'), contents = document.getElementById('contents');
		if (theme)
			nextTheme(theme);
		if (button)
			copy(button);
		if (menu && !menu.contains(event.target))
			menu.open = false;
		if (event.target.closest('#contents .toc a') && contents.matches(':popover-open'))
			contents.hidePopover();
	});
	document.addEventListener('keydown', function (event) {
		var menu = document.querySelector('.switch[open]');
		if (event.key !== 'Escape' || !menu)
			return;
		menu.open = false;
		menu.querySelector('summary').focus();
	});
	window.addEventListener('hashchange', openTarget);
	document.addEventListener('DOMContentLoaded', function () {
		var button = document.querySelector('.theme');
		if (button)
			nameTheme(button);
		openTarget();
	});
})();

/* The claims page: filters, and the reader's own run. The page is complete without this file. Two parts: the evaluator of claim
   expressions, which tests compare with SQLite's, and what it does to the page. */
(function () {
	'use strict';

	var divisors = {ns: 1, count: 1, bytes: 1, ppm: 1e6, milli: 1000};
	var usable = ['ok', 'contended', 'degraded'];

	function present(v) { return v.filter(function (x) { return x !== null; }); }

	/* Linear between order statistics, as stats_quantile. */
	function median(v) {
		var s = present(v).sort(function (a, b) { return a - b; }), at = (s.length - 1) / 2, low = Math.floor(at);
		return !s.length ? null : low >= s.length - 1 ? s[s.length - 1] : s[low] + (at - low) * (s[low + 1] - s[low]);
	}

	/* --- numbers as model/format.c prints them --- */

	/* Digits and exponent of |x|; C rounds a tie to even, JavaScript away from zero. */
	function rounded(x, digits) {
		var text = Math.abs(x).toExponential(digits - 1).split('e'), exact = Math.abs(x).toExponential(60).split('e');
		var all = exact[0].replace('.', ''), kept = all.slice(0, digits);
		if (/^50*$/.test(all.slice(digits)) && kept.charCodeAt(digits - 1) % 2 === 0)
			return {digits: kept, exponent: +exact[1]};
		return {digits: text[0].replace('.', ''), exponent: +text[1]};
	}

	function signed(x, text) {
		var parts = text.split('.');
		if (parts[0].length > 4)
			parts[0] = parts[0].replace(/\B(?=(\d{3})+$)/g, '\u2009');
		return (x < 0 && /[1-9]/.test(text) ? '\u2212' : '') + parts.join('.');
	}

	function num(x, digits) {
		var r, point, text;
		if (x === 0)
			return '0';
		if (digits < 1 && x === Math.round(x) && Math.abs(x) < 1e15)
			return signed(x, Math.abs(x).toFixed(0));
		digits = digits < 1 ? 3 : digits;
		r = rounded(x, digits);
		if (Math.abs(x) >= 1e15 || Math.abs(x) < 1e-9)
			return signed(x, r.digits[0] + (digits > 1 ? '.' + r.digits.slice(1) : '')) + '\u00a0\u00d7\u00a010^' +
				(r.exponent < 0 ? '\u2212' : '') + Math.abs(r.exponent);
		point = r.exponent + 1;
		if (point >= digits)
			text = r.digits + '0'.repeat(point - digits);
		else if (point > 0)
			text = r.digits.slice(0, point) + '.' + r.digits.slice(point);
		else
			text = '0.' + '0'.repeat(-point) + r.digits;
		return signed(x, text);
	}

	function time(divisor, unit) { return function (x) { return num(x / divisor, 3) + '\u00a0' + unit; }; }

	var formatters = {
		ns: time(1, 'ns'), us: time(1e3, '\u00b5s'), ms: time(1e6, 'ms'),
		pct: function (x) { return num(x / 0.01, 3) + '\u00a0%'; },
		times: function (x) { return num(x, Math.abs(x) < 99.5 ? 2 : 3); },
		num: function (x, digits) { return num(x, digits === undefined ? 3 : digits); },
		si: function (x) {
			var a = Math.abs(x), k = a >= 1e9 * 0.9995 ? 3 : a >= 1e6 * 0.9995 ? 2 : a >= 1e3 * 0.9995 ? 1 : 0;
			return time(Math.pow(10, 3 * k), ['ns', '\u00b5s', 'ms', 's'][k])(x);
		}
	};

	/* --- expressions: to a function of look(measure, key), with SQL's NULL as null --- */

	function strict(f) { return function (a, b) { return a === null || b === null ? null : f(a, b); }; }
	function finite(x) { return isNaN(x) ? null : x; }
	function not(a) { return a === null ? null : !a; }
	function and(a, b) { return a === false || b === false ? false : a === null || b === null ? null : true; }
	function or(a, b) { return not(and(not(a), not(b))); }

	var operators = {
		'+': strict(function (a, b) { return finite(a + b); }), '-': strict(function (a, b) { return finite(a - b); }),
		'*': strict(function (a, b) { return finite(a * b); }), '/': strict(function (a, b) { return b === 0 ? null : finite(a / b); }),
		'<': strict(function (a, b) { return a < b; }), '>': strict(function (a, b) { return a > b; }),
		'<=': strict(function (a, b) { return a <= b; }), '>=': strict(function (a, b) { return a >= b; }),
		'=': strict(function (a, b) { return a === b; }), '!=': strict(function (a, b) { return a !== b; })
	};
	operators['=='] = operators['='];
	operators['<>'] = operators['!='];

	function compile(text) {
		var tokens = text.match(/'[^']*'|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|<=|>=|<>|!=|==|\S/g) || [], at = 0, keys = [];

		function is(word) { return at < tokens.length && tokens[at].toUpperCase() === word; }
		function take(word) { return is(word) && ++at > 0; }
		function binary(f, x, y) { return function (look) { return f(x(look), y(look)); }; }
		function level(signs, below) {
			return function () {
				var x = below(), sign;
				while (signs.indexOf((tokens[at] || '').toUpperCase()) >= 0) {
					sign = tokens[at++].toUpperCase();
					x = binary(sign === 'AND' ? and : sign === 'OR' ? or : operators[sign], x, below());
				}
				return x;
			};
		}
		function call(name) {
			var key, x, y;
			take('(');
			if (['med', 'lo', 'hi', 'noise'].indexOf(name) >= 0) {
				key = tokens[at++].slice(1, -1);
				keys.push(key);
				take(')');
				return function (look) { return look(name, key); };
			}
			x = top();
			y = take(',') ? top() : function () { return undefined; };
			take(')');
			return function (look) {
				var v = x(look);
				return v === null ? null : name === 'abs' ? Math.abs(v) : formatters[name](v, y(look));
			};
		}
		function primary() {
			var token = tokens[at++], x;
			if (token === '(') {
				x = top();
				take(')');
				return x;
			}
			if (token === '-' || token === '+') {
				x = primary();
				return token === '+' ? x : function (look) { var v = x(look); return v === null ? null : -v; };
			}
			return /^\d/.test(token) ? function () { return +token; } : call(token.toLowerCase());
		}
		var sum = level(['+', '-'], level(['*', '/'], primary));
		function comparison() {
			var x = sum(), lo, hi, sign;
			if (take('BETWEEN')) {
				lo = sum();
				take('AND');
				hi = sum();
				return function (look) { var v = x(look); return and(operators['<='](lo(look), v), operators['<='](v, hi(look))); };
			}
			sign = tokens[at];
			if (!operators[sign])
				return x;
			at++;
			return binary(operators[sign], x, sum());
		}
		function negation() {
			if (!take('NOT'))
				return comparison();
			var x = negation();
			return function (look) { return not(x(look)); };
		}
		var top = level(['OR'], level(['AND'], negation));
		return {run: top(), keys: keys};
	}

	/* --- a run --- */

	function metricOf(kase, name) {
		return kase && usable.indexOf(kase.status) >= 0 && kase.metrics ? kase.metrics[name] : undefined;
	}

	/* Largest paired difference of a case and its twin, as a part of the case's median: table_noise. */
	function noiseOf(table, name) {
		var out = null;
		table.cases.some(function (k) {
			var first = k.twin && metricOf(table.cases.find(function (c) { return c.case === k.twin; }), name), again = k.twin && metricOf(k, name);
			if (!first || !again)
				return false;
			var gap = 0, both = [];
			for (var i = 0; i < Math.min(first.values.length, again.values.length); i++)
				if (first.values[i] !== null && again.values[i] !== null) {
					both.push(first.values[i]);
					gap = Math.max(gap, Math.abs(first.values[i] - again.values[i]));
				}
			var m = median(both);
			out = m > 0 ? gap / m : null;
			return true;
		});
		return out;
	}

	/* `known`: the words of the row's data-keys, "key=metric=version=class". */
	function cellOf(run, key, known) {
		var info = known[key], path = key.split(':')[0].split('/');
		var table = info && run.tables.find(function (t) { return t.probe === path[0] && t.version === info.version; });
		var kase = table && table.cases.find(function (c) { return c.case === path[1] && !c.twin; }), m = metricOf(kase, info && info.metric);
		if (!m || !present(m.values).length)
			return null;
		var divisor = divisors[m.unit], raw = present(m.values);
		return {values: m.values.map(function (x) { return x === null ? null : x / divisor; }), med: median(raw) / divisor,
			lo: Math.min.apply(null, raw) / divisor, hi: Math.max.apply(null, raw) / divisor, noise: noiseOf(table, info.metric)};
	}

	function judge(run, claim, emulated) {
		var known = {}, cells = {}, test = compile(claim.test), passes, same = 0, judged = 0, medians, i, t;

		claim.keys.split(' ').forEach(function (word) {
			var part = word.split('=');
			known[part[0]] = {metric: part[1], version: +part[2], cost: part[3] === 'cost'};
		});
		function lookAt(pass) {
			return function (measure, key) {
				var c = key in cells ? cells[key] : cells[key] = cellOf(run, key, known), x;
				if (!c)
					return null;
				x = pass < 0 ? c[measure === 'noise' ? 'med' : measure] : pass < c.values.length ? c.values[pass] : null;
				return measure !== 'noise' ? x : x === null || c.noise === null ? null : c.noise * x;
			};
		}
		if (emulated && test.keys.some(function (k) { return known[k].cost; }))
			return {verdict: 'no', number: null};
		medians = test.run(lookAt(-1));
		if (medians === null)
			return {verdict: 'no', number: null};
		passes = Math.min.apply(null, test.keys.map(function (k) { return cells[k] ? cells[k].values.length : 0; }));
		for (i = 0; i < passes; i++) {
			t = test.run(lookAt(i));
			judged += t !== null;
			same += t === medians;
		}
		return {verdict: same < judged ? 'unclear' : medians ? 'ok' : 'bad', number: claim.shows ? compile(claim.shows).run(lookAt(-1)) : null};
	}

	if (typeof module !== 'undefined') {
		module.exports = {judge: judge, num: num};
		return;
	}

	/* --- the page --- */

	var form = document.getElementById('filter'), own = document.getElementById('own'), shown = document.getElementById('shown');
	var rows = Array.prototype.slice.call(document.querySelectorAll('#matrix tr[data-test]'));
	var names = ['text', 'verdict', 'machine', 'chapter'];
	var words = {ok: 'holds', bad: 'contradicted', unclear: 'unclear', no: 'not measured'};

	function matches(row, want) {
		var verdict = !want.verdict && !want.machine || Array.prototype.some.call(row.querySelectorAll('td[data-on]'), function (cell) {
			return (!want.machine || cell.dataset.on === want.machine) &&
				(want.verdict ? cell.classList.contains(want.verdict) : !cell.classList.contains('no'));
		});
		return verdict && (!want.chapter || row.parentNode.dataset.chapter === want.chapter) &&
			row.textContent.toLowerCase().indexOf(want.text.trim().toLowerCase()) >= 0;
	}

	function apply() {
		var want = {}, n = 0;
		names.forEach(function (name) { want[name] = form.elements[name].value; });
		rows.forEach(function (row) {
			row.hidden = !matches(row, want);
			n += !row.hidden;
		});
		Array.prototype.forEach.call(document.querySelectorAll('#matrix tbody'), function (body) {
			body.hidden = !body.querySelector('tr[data-test]:not([hidden])');
		});
		shown.textContent = n + ' of ' + rows.length + ' claims';
		return want;
	}

	/* The fragment #text=…&verdict=… holds the filters; any other is a claim's. */
	function restore() {
		var at = new URLSearchParams(location.hash.slice(1));
		if (location.hash.length > 1 && location.hash.indexOf('=') < 0)
			form.reset();
		else
			names.forEach(function (name) { form.elements[name].value = at.get(name) || ''; });
		apply();
	}

	function remember() {
		var want = apply(), kept = new URLSearchParams();
		names.forEach(function (name) { if (want[name]) kept.set(name, want[name]); });
		history.replaceState(null, '', kept.toString() ? '#' + kept : location.pathname + location.search);
	}

	function say(text) { document.getElementById('own-said').textContent = text; }

	function read(text) {
		var run = JSON.parse(text);
		if (!run || run.format !== 'runq-run')
			throw new Error('this is no run record; take a file that runq-probe wrote');
		if (run.version !== 1)
			throw new Error('this record has version ' + run.version + ', the page reads version 1');
		if (!Array.isArray(run.tables) || !run.tables.every(function (t) { return Array.isArray(t.cases); }))
			throw new Error('the record is not whole; measure again');
		return run;
	}

	function show(run) {
		var counts = {ok: 0, bad: 0, unclear: 0, no: 0}, emulated = /TCG/.test(run.machine && run.machine.cpu_model);
		rows.forEach(function (row) {
			var r = judge(run, {test: row.dataset.test, shows: row.dataset.shows, keys: row.dataset.keys}, emulated);
			var line = row.querySelector('.mine') || row.querySelector('th').appendChild(document.createElement('small'));
			line.className = 'mine';
			line.textContent = 'Your run: ' + words[r.verdict] + (r.number ? ', ' + r.number : '');
			counts[r.verdict]++;
		});
		say('Your run: ' + counts.ok + ' hold, ' + counts.bad + ' contradicted, ' + counts.unclear + ' unclear, ' + counts.no + ' not measured.');
	}

	function take(file) {
		if (!file)
			return;
		if (file.size > 512 * 1024) {
			say('This file is larger than a run record can be.');
			return;
		}
		file.text().then(read).then(show).catch(function (e) { say('Not read: ' + e.message + '.'); });
	}

	form.hidden = own.hidden = false;
	form.addEventListener('input', remember);
	form.addEventListener('submit', function (event) { event.preventDefault(); });
	form.addEventListener('reset', function () { setTimeout(remember); });
	window.addEventListener('hashchange', restore);
	own.elements.run.addEventListener('change', function () { take(own.elements.run.files[0]); });
	document.addEventListener('dragover', function (event) { event.preventDefault(); });
	document.addEventListener('drop', function (event) {
		event.preventDefault();
		take(event.dataTransfer.files[0]);
	});
	restore();
})();

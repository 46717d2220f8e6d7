/* Simulations to step through, the playground and its calculators. The pictures and tables below are complete without this file;
   it runs the same simulator, as a module in sim-wasm.js, and reads nothing else. A classic script: it works from file://. */
(function () {
	'use strict';

	var here = document.currentScript.src.replace(/assets\/sim\.js.*$/, '');
	var calm = matchMedia('(prefers-reduced-motion: reduce)');
	var RECORDS = 100000, NONE = -1, SWITCH = 0, WOKEN = 1;
	var core, started;

	function el(tag, attrs) {
		var e = document.createElement(tag), i, child;
		Object.keys(attrs || {}).forEach(function (k) {
			if (typeof attrs[k] === 'function')
				e.addEventListener(k, attrs[k]);
			else if (attrs[k] === true)
				e.setAttribute(k, '');
			else if (attrs[k] !== false)
				e.setAttribute(k, attrs[k]);
		});
		for (i = 2; i < arguments.length; i++) {
			child = arguments[i];
			e.append(child);
		}
		return e;
	}

	function svg(tag, attrs) {
		var e = document.createElementNS('http://www.w3.org/2000/svg', tag);
		Object.keys(attrs).forEach(function (k) { e.setAttribute(k, attrs[k]); });
		return e;
	}

	function ms(ns) {
		return String(+(ns / 1e6).toFixed(ns % 1e4 ? 6 : 2));
	}

	/* --- the module: its structs by offsets that sim.h promises --- */

	function makeCore(exports) {
		var at = exports.sim_heap(), view, out = {};

		function take(bytes) {
			at = (at + 15) & ~15;
			at += bytes;
			var short = at - exports.memory.buffer.byteLength;
			if (short > 0)
				exports.memory.grow((short >> 16) + 1);
			return at - bytes;
		}
		function i64(p) { return view.getUint32(p, true) + view.getInt32(p + 4, true) * 4294967296; }
		function i32(p) { return view.getInt32(p, true); }
		function string(p) {
			var bytes = new Uint8Array(view.buffer), end = p;
			if (!p)
				return '';
			while (bytes[end])
				end++;
			return new TextDecoder().decode(bytes.subarray(p, end));
		}
		function names(f) {
			var list = [], i, p;
			for (i = 0; (p = f(i)); i++)
				list.push(string(p));
			return list;
		}

		var sizes = take(32);
		exports.sim_sizes(sizes);
		view = new DataView(exports.memory.buffer);
		var size = [0, 1, 2, 3, 4, 5, 6, 7].map(function (i) { return i32(sizes + 4 * i); });
		var engine = take(size[0]), sc = take(size[1]), error = take(size[2]), result = take(size[3]), state = take(size[5]);
		var figures = take(size[6]), text = take(65536), log = take(RECORDS * size[4]), scratch = take(RECORDS * 8), time = take(8);
		view = new DataView(exports.memory.buffer);
		out.profiles = names(exports.sim_profile_name);
		out.labels = names(exports.sim_profile_label);
		out.reasons = names(exports.sim_reason_text);
		out.points = names(exports.sim_point_text);
		/* Which reasons put a task to sleep, stop it, let it go on, end it. */
		var called = names(exports.sim_reason_name), codes = {sleep: ['block', 'block_delayed'], exit: ['exit'],
			throttle: ['throttle', 'cbs_throttle', 'rt_throttle'], release: ['refill', 'replenish', 'rt_release'],
			wakeThrottled: ['wake_throttled']};
		out.codes = {};
		Object.keys(codes).forEach(function (k) {
			out.codes[k] = called.map(function (name) { return codes[k].indexOf(name) >= 0; });
		});

		function parse(source) {
			var bytes = new TextEncoder().encode(source);
			if (bytes.length > 65536)
				return {error: 'The scenario is longer than 65,536 bytes; shorten it.'};
			new Uint8Array(view.buffer).set(bytes, text);
			if (exports.sim_parse(text, bytes.length, sc, error))
				return null;
			return {line: i32(error), col: i32(error + 4), error: string(error + 8)};
		}

		function tasks() {
			var list = [], i, p, n = i32(sc + 12);
			for (i = 0; i < n; i++) {
				p = sc + 336 + 96 * i;
				list.push({name: string(p), start: i64(p + 16), slice: i64(p + 24), policy: i32(p + 60), nice: i32(p + 64),
					prio: i32(p + 68), cpus: view.getUint32(p + 72, true), group: i32(p + 76)});
			}
			return list;
		}

		function groups() {
			var list = [], i, p, n = i32(sc + 16);
			for (i = 0; i < n; i++) {
				p = sc + 336 + 96 * 64 + 64 * i;
				list.push({name: string(p), quota: i64(p + 16), parent: i32(p + 52)});
			}
			return list;
		}

		function records(n) {
			var list = [], i, p;
			for (i = 0; i < n; i++) {
				p = log + 32 * i;
				list.push({t: i64(p), value: i64(p + 8), cpu: view.getInt16(p + 20, true), from: view.getInt16(p + 22, true),
					to: view.getInt16(p + 24, true), other: view.getInt16(p + 26, true), kind: view.getUint8(p + 28),
					reason: view.getUint8(p + 29), point: view.getUint8(p + 30)});
			}
			return list;
		}

		function measured(n, count) {
			var list = [], i;
			view.setUint32(time, view.getUint32(result, true), true);
			view.setInt32(time + 4, view.getInt32(result + 4, true), true);
			for (i = 0; i < count; i++) {
				exports.sim_measure(sc, log, n, time, i, scratch, figures);
				list.push({cpu: i64(figures), runs: i64(figures + 8), run: i64(figures + 32), wakes: i64(figures + 40),
					wait: i64(figures + 64), wait90: i64(figures + 72)});
			}
			return list;
		}

		/* {error, line, col}, or what came of the scenario. */
		out.run = function (source) {
			var bad = parse(source), n, end;
			if (bad)
				return bad;
			exports.sim_run(sc, engine, log, RECORDS, 0, result);
			end = i32(result + 28);
			n = Math.min(view.getUint32(result + 24, true), RECORDS);
			var r = {source: source, t: i64(result), n: n, profile: i32(sc), cpus: i32(sc + 4), hz: i32(sc + 8),
				hrtick: view.getInt8(sc + 28) === 1 || (view.getInt8(sc + 28) < 0 && out.profiles[i32(sc)] === 'eevdf71'),
				offset: i64(sc + 72), tasks: tasks(), groups: groups(), log: records(n)};
			r.figures = measured(n, r.tasks.length);
			r.textbook = r.profile >= out.profiles.indexOf('fifo');
			r.stopped = end === 0 ? '' : end === 1 ? 'stopped at its limit of events; simulate a shorter time or raise events'
				: end === 2 ? 'stopped after 100,000 records; simulate a shorter time' : 'stopped by a defect; please report it';
			return r;
		};

		/* Every member of the queues as the decision behind that record saw it. */
		out.why = function (source, record) {
			var list = [], i, p;
			if (parse(source) || !exports.sim_state_at_record(sc, engine, record, state))
				return list;
			for (i = 0; i < i32(state + 16); i++) {
				p = state + size[7] + 80 * i;
				list.push({v: i64(p), deadline: i64(p + 8), vprot: i64(p + 16), lag: i64(p + 24), average: i64(p + 32),
					weight: i64(p + 48), left: i64(p + 56), task: view.getInt16(p + 64, true), group: view.getInt16(p + 66, true),
					cpu: view.getInt16(p + 68, true), level: view.getInt16(p + 70, true), queued: view.getUint8(p + 72),
					running: view.getUint8(p + 73), delayed: view.getUint8(p + 74), eligible: view.getUint8(p + 75),
					throttled: view.getUint8(p + 76)});
			}
			return list;
		};
		return out;
	}

	function start(then) {
		if (core)
			return then();
		if (!started) {
			var raw = atob(window.SIM_WASM || ''), bytes = new Uint8Array(raw.length), i;
			for (i = 0; i < raw.length; i++)
				bytes[i] = raw.charCodeAt(i);
			started = WebAssembly.instantiate(bytes, {}).then(function (made) { core = makeCore(made.instance.exports); });
		}
		started.then(then, function (e) { console.error('the simulator does not start: ' + e.message); });
	}

	document.head.append(el('link', {rel: 'stylesheet', href: here + 'assets/sim.css'}));

	/* --- the scenario's text: controls only edit it --- */

	function setLine(text, key, value) {
		var has = new RegExp('(^|[\\n;])([ \\t]*)' + key + '[ \\t][^\\n;#]*');
		if (has.test(text))
			return text.replace(has, value === null ? '$1' : '$1$2' + key + ' ' + value).replace(/^\n/, '');
		return value === null ? text : key + ' ' + value + '\n' + text;
	}

	function taskLine(name) {
		return new RegExp('((?:^|[\\n;])[ \\t]*task[ \\t]+' + name + '(?![\\w-]))([^:\\n]*)(:)');
	}

	function setTask(text, name, key, value) {
		return text.replace(taskLine(name), function (all, head, attrs, colon) {
			var without = attrs.replace(new RegExp('[ \\t]+' + key + '[ \\t]+\\S+'), '');
			return head + (value === null ? '' : ' ' + key + ' ' + value) + without + colon;
		});
	}

	function countHogs(text) { return (text.match(/(^|[\n;])[ \t]*task[ \t]+extra-\d+/g) || []).length; }

	function setHogs(text, n, cpu) {
		var i, t = text.replace(/\n?[ \t]*task[ \t]+extra-\d+[^\n]*/g, '').replace(/\s+$/, '');
		for (i = 1; i <= n; i++)
			t += '\ntask extra-' + i + ' cpu ' + cpu + ': run';
		return t;
	}

	window.runqSim = {el: el, svg: svg, ms: ms, start: start, setLine: setLine, setTask: setTask, countHogs: countHogs,
		setHogs: setHogs, here: here, calm: calm, core: function () { return core; }, SWITCH: SWITCH, WOKEN: WOKEN, NONE: NONE};
})();

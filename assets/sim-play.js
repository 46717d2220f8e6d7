/* The widget around the timelines: the scenario and its sliders, steps, "why?", sharing, a recording beside it; and the calculators.
   Needs sim.js and sim-view.js. */
(function () {
	'use strict';

	var S = window.runqSim, el = S.el, ms = S.ms, core, count = 0;
	var SLICES = ['default', '0.1ms', '0.2ms', '0.5ms', '1ms', '2ms', '3ms', '5ms', '10ms', '20ms', '30ms', '50ms', '100ms'];
	var SPEEDS = [['slow: 5 ms a second', 5], ['20 ms a second', 20], ['100 ms a second', 100]];

	function button(text, press) { return el('button', {type: 'button', class: 'sim-b', click: press}, text); }

	function select(label, options, change) {
		var s = el('select', {change: change});
		options.forEach(function (o) { s.append(el('option', {value: o[1]}, o[0])); });
		return {input: s, node: el('label', {}, label + ' ', s)};
	}

	function range(label, min, max, value, show, input) {
		var out = el('output', {}, show(value));
		var r = el('input', {type: 'range', min: min, max: max, step: 1, value: value, 'aria-valuetext': show(value), input: function () {
			out.textContent = show(+r.value);
			r.setAttribute('aria-valuetext', show(+r.value));
			input(+r.value);
		}});
		return {input: r, node: el('label', {}, label + ' ', r, out)};
	}

	function Widget(host, text) {
		var w = this, n = ++count;
		w.host = host;
		w.text = w.first = text;
		w.now = 0;
		w.pos = -1;
		w.span = 1e8;
		w.started = false;
		w.live = el('p', {class: 'sr', 'aria-live': 'polite'});
		w.hint = el('p', {class: 'sim-hint', id: 'sim-hint-' + n}, 'Arrow keys: left and right along a lane, up and down between lanes, Home and End, Enter for why, Escape to leave.');
		w.error = el('p', {class: 'sim-error', id: 'sim-error-' + n, role: 'status'});
		w.area = el('textarea', {rows: Math.min(14, text.split('\n').length + 2), spellcheck: 'false', autocomplete: 'off',
			'aria-describedby': w.error.id, input: function () { w.text = w.area.value; w.later(); }});
		w.area.value = text;
		w.main = new S.Panel(w, 'Timeline of the scenario');
		w.other = new S.Panel(w, 'Timeline under the other rules');
		w.other.node.hidden = true;
		w.why = el('div', {class: 'sim-why'});
		w.build();
		w.run();
	}

	var P = Widget.prototype;

	P.build = function () {
		var w = this, names = core.profiles.map(function (name, i) { return [core.labels[i], name]; });
		w.profile = select('Rules', names, function () { w.edit(S.setLine(w.text, 'profile', w.profile.input.value)); });
		w.beside = select('Beside', [['nothing', '']].concat(names), function () { w.run(); });
		w.ideal = el('input', {type: 'checkbox', change: function () { w.edit(S.setLine(w.text, 'hrtick', w.ideal.checked ? 'on' : null)); }});
		w.hogs = range('More hogs', 0, 6, S.countHogs(w.text), String, function (n) { w.edit(S.setHogs(w.text, n, w.cpu || 0)); });
		w.sliders = el('div', {class: 'sim-tasks'});
		w.shows = select('Show', [['a few dozen switches', 0], ['5 ms', 5], ['20 ms', 20], ['50 ms', 50], ['100 ms', 100], ['200 ms', 200], ['1 s', 1000]],
			function () { w.zoom(); w.drawAll(); });
		w.speed = select('Speed', SPEEDS, function () {});
		w.speed.input.value = '20';
		w.playing = button('Play', function () { w.play(); });
		w.clock = el('output', {class: 'sim-clock'});
		w.steps = el('div', {class: 'sim-steps', role: 'group', 'aria-label': 'Steps'},
			button('To the start', function () { w.step('start'); }), button('Back', function () { w.step('back'); }),
			button('Forward', function () { w.step('forward'); }), button('Next switch', function () { w.step('switch'); }),
			button('Next wake-up', function () { w.step('wake'); }), button('Next tick', function () { w.step('tick'); }),
			w.playing, button('Why?', function () { w.explain(w.main, w.pos); }), w.speed.node, w.shows.node, w.clock);
		var file = el('input', {type: 'file', accept: '.json,application/json', change: function () { w.read(file.files[0]); }});
		w.host.append(el('div', {class: 'sim-set'}, w.profile.node, w.beside.node, el('label', {}, w.ideal, ' ideal timer'), w.hogs.node), w.sliders,
			el('label', {class: 'sim-text'}, 'Scenario ', w.area), w.error, w.main.node, w.other.node, w.hint, w.steps, w.why,
			el('div', {class: 'sim-share'}, button('Copy link', function () { w.copy(w.link(), 'Link'); }),
				button('Copy as runq sim', function () { w.copy(w.command('build/runq sim -'), 'Command'); }),
				button('Copy as runq trace', function () { w.copy(w.command('cat >s.sim', '\nsudo build/runq trace s.sim -o t.json && build/runq sim s.sim --compare t.json'), 'Command'); }),
				button('As it was', function () { w.trace = null; w.edit(w.first); }),
				el('label', {}, 'Recording of runq trace, also by dropping it here: ', file)), w.live);
		w.host.addEventListener('dragover', function (e) { e.preventDefault(); });
		w.host.addEventListener('drop', function (e) {
			e.preventDefault();
			w.read(e.dataTransfer.files[0]);
		});
	};

	P.edit = function (text) {
		this.text = this.area.value = text;
		this.run();
	};

	P.later = function () {
		var w = this;
		clearTimeout(w.timer);
		w.timer = setTimeout(function () { w.run(); }, 250);
	};

	P.say = function (text, playing) {
		var w = this, now = Date.now();
		if (playing && now - (w.said || 0) < 1500)
			return;
		w.said = now;
		w.live.textContent = text;
	};

	P.run = function () {
		var w = this, r = core.run(w.text), beside = w.beside.input.value, second;
		w.stop();
		w.error.textContent = r.error ? (r.line ? 'Line ' + r.line + ', column ' + r.col + ': ' : '') + r.error : '';
		w.area.setAttribute('aria-invalid', r.error ? 'true' : 'false');
		if (r.error)
			return;
		w.profile.input.value = core.profiles[r.profile];
		w.ideal.checked = r.hrtick;
		w.ideal.disabled = r.textbook;
		w.hogs.input.value = S.countHogs(w.text);
		w.hogs.input.nextSibling.textContent = w.hogs.input.value;
		for (w.cpu = 0; r.tasks.length && !(r.tasks[0].cpus >> w.cpu & 1); w.cpu++)
			;
		w.main.r = r;
		w.now = Math.min(w.now, r.t);
		w.zoom();
		w.main.set(r);
		w.other.node.hidden = !beside;
		if (beside) {
			second = core.run(S.setLine(w.text, 'profile', beside));
			if (second.error) {
				w.other.node.hidden = true;
				w.error.textContent = 'Under ' + beside + ': ' + second.error;
			} else {
				w.other.set(second);
			}
		}
		w.pos = w.main.recordAt(w.now);
		w.why.replaceChildren();
		w.makeSliders(r);
		w.showClock();
		if (w.started)
			w.say(r.tasks.map(function (t, i) { return t.name + ' ' + Math.round(1000 * r.figures[i].cpu / r.t) / 10 + ' %'; }).join(', '));
		w.started = true;
	};

	/* Sliders of the tasks' nice values and slices; made anew only when the tasks' names change, so that focus stays. */
	P.makeSliders = function (r) {
		var w = this, fair = r.tasks.filter(function (t) { return t.policy <= 2 && !/^extra-/.test(t.name); }).slice(0, 6);
		var key = r.textbook ? '' : fair.map(function (t) { return t.name; }).join();
		if (key === w.madeFor)
			return;
		w.madeFor = key;
		w.sliders.replaceChildren();
		if (!r.textbook)
			fair.forEach(function (t) {
				var slice = SLICES.indexOf(t.slice / 1e6 + 'ms');
				w.sliders.append(el('div', {class: 'sim-task', role: 'group', 'aria-label': 'Task ' + t.name}, el('b', {}, t.name),
					range('nice', -20, 19, t.nice, String, function (v) { w.edit(S.setTask(w.text, t.name, 'nice', v || null)); }).node,
					range('slice', 0, SLICES.length - 1, Math.max(slice, 0), function (v) { return SLICES[v]; },
						function (v) { w.edit(S.setTask(w.text, t.name, 'slice', v ? SLICES[v] : null)); }).node));
			});
	};

	P.zoom = function () { this.span = +this.shows.input.value * 1e6 || S.autoWindow(this.main.r); };
	P.from = function () { return Math.floor(Math.min(this.now, this.main.r.t - 1) / this.span) * this.span; };
	P.panels = function () { return this.other.node.hidden ? [this.main] : [this.main, this.other]; };
	P.drawAll = function () { this.panels().forEach(function (p) { p.draw(); }); };

	P.showClock = function () {
		var r = this.main.r;
		this.clock.textContent = ms(Math.round(this.now)) + ' ms' + (this.pos >= 0 ? ' \u00b7 ' + S.tell(r, r.log[this.pos]) : '');
	};

	P.moveTo = function (t, panel, rec) {
		this.now = Math.max(0, Math.min(t, this.main.r.t));
		this.pos = panel === this.main && rec >= 0 ? rec : this.main.recordAt(this.now);
		this.drawAll();
		this.showClock();
		if (this.why.firstChild)
			this.explain(this.main, this.pos, true);
	};

	P.step = function (what, playing) {
		var w = this, r = w.main.r, i = w.pos, tick = 1e9 / r.hz, want = {'switch': S.SWITCH, wake: S.WOKEN}[what];
		if (!playing)
			w.stop();
		if (what === 'tick') {
			w.moveTo(r.offset + (Math.floor((w.now - r.offset) / tick) + 1) * tick, w.main, -1);
			w.say(ms(w.now) + ' ms, a tick. ' + (w.pos >= 0 ? S.tell(r, r.log[w.pos]) : ''));
			return true;
		}
		if (what === 'start')
			i = 0;
		else if (what === 'back')
			i = Math.max(0, i - 1);
		else
			for (i++; want !== undefined && i < r.n && !(r.log[i].kind === want && r.log[i].from !== r.log[i].to); i++)
				;
		if (i >= r.n) {
			w.say('No more of these.');
			return false;
		}
		w.moveTo(r.log[i].t, w.main, i);
		w.say(ms(w.now) + ' ms. ' + S.tell(r, r.log[i]), playing);
		return true;
	};

	P.stop = function () {
		clearInterval(this.beat);
		cancelAnimationFrame(this.frame);
		this.beat = this.frame = 0;
		if (this.playing)
			this.playing.textContent = 'Play';
	};

	/* With reduced motion a record a second, without sliding. */
	P.play = function () {
		var w = this, last = 0;
		if (w.beat || w.frame)
			return w.stop();
		w.playing.textContent = 'Pause';
		if (S.calm.matches) {
			w.beat = setInterval(function () {
				if (!w.step('forward', true))
					w.stop();
			}, 1000);
			return;
		}
		w.frame = requestAnimationFrame(function go(t) {
			var before = w.pos;
			if (last)
				w.moveTo(w.now + (t - last) * 1e3 * +w.speed.input.value, w.main, -1);
			last = t;
			if (w.pos !== before && w.pos >= 0)
				w.say(ms(Math.round(w.now)) + ' ms. ' + S.tell(w.main.r, w.main.r.log[w.pos]), true);
			w.frame = requestAnimationFrame(go);
			if (w.now >= w.main.r.t)
				w.stop();
		});
	};

	P.explain = function (panel, rec, quiet) {
		var w = this, now = panel === w.main ? w.now : panel.r.log[Math.max(rec, 0)].t;
		w.why.replaceChildren();
		if (rec < 0)
			return w.say('Nothing has happened yet.');
		w.panels().forEach(function (p) {
			var at = p === panel ? rec : p.recordAt(now);
			if (at < 0)
				return;
			var r = p.r, text = ms(r.log[at].t) + ' ms, CPU ' + r.log[at].cpu + '. ' + S.tell(r, r.log[at]);
			var members = core.why(r.source, at);
			w.why.append(el('p', {class: 'sim-because'}, el('b', {}, core.labels[r.profile] + ': '), text + '. As that decision saw it:'),
				S.whyTable(r, r.log[at], members));
			if (p === panel && !quiet)
				w.say(text + '. ' + members.filter(function (m) { return m.cpu === r.log[at].cpu && m.task >= 0 && m.queued; }).map(function (m) {
					return r.tasks[m.task].name + ': lag ' + ms(m.lag) + ' ms, deadline ' + ms(m.deadline) + ' ms' + (m.eligible ? ', eligible' : ', not eligible');
				}).join('; '));
		});
	};

	P.link = function () {
		var b = this.beside.input.value;
		return S.here + 'playground.html#sim=' + encodeURIComponent(this.text) + (b ? '&beside=' + b : '');
	};

	P.command = function (head, tail) { return head + " <<'END'\n" + this.text.replace(/\s*$/, '\n') + 'END' + (tail || ''); };

	P.copy = function (text, what) {
		var w = this;
		function byHand() {
			var box = el('textarea', {class: 'sr'});
			box.value = text;
			w.host.append(box);
			box.select();
			var done = document.execCommand('copy');
			box.remove();
			w.say(done ? what + ' copied' : 'The browser does not let this page copy');
		}
		if (navigator.clipboard)
			navigator.clipboard.writeText(text).then(function () { w.say(what + ' copied'); }, byHand);
		else
			byHand();
	};

	P.read = function (file) {
		var w = this;
		if (!file)
			return;
		if (file.size > 8 << 20) {
			w.error.textContent = 'The file is larger than 8 MiB; record a shorter time.';
			return;
		}
		file.text().then(function (text) {
			var t;
			try {
				t = JSON.parse(text);
			} catch (e) {
				t = null;
			}
			if (!t || t.format !== 'runq-trace' || !Array.isArray(t.events) || !Array.isArray(t.tasks) || !(t.cpus >= 1 && t.cpus <= 64) ||
				!t.events.every(function (e) { return Array.isArray(e) && e[0] >= 0 && e[0] <= t.duration_ns; })) {
				w.error.textContent = 'This is no recording of runq trace; record one with sudo build/runq trace.';
				return;
			}
			w.trace = t;
			w.edit(String(t.scenario || w.text));
			w.say('Recording beside the simulation, of ' + ms(t.duration_ns) + ' ms.');
		});
	};

	/* --- calculators --- */

	function share(x) { return Math.round(1000 * x) / 10 + ' %'; }

	function field(label, value, min, max) {
		var i = el('input', {type: 'number', value: value, min: min, max: max, step: 'any'});
		return {input: i, node: el('label', {}, label + ' ', i)};
	}

	var CALC = {
		nice: {fields: [['nice of the first', 0, -20, 19], ['nice of the second', 10, -20, 19]], text: function (v) {
			var r = core.run('for 10s\nhrtick on\ntask a nice ' + v[0] + ' cpu 0: run\ntask b nice ' + v[1] + ' cpu 0: run');
			return r.error || 'The first gets ' + share(r.figures[0].cpu / r.t) + ', the second ' + share(r.figures[1].cpu / r.t) + '.';
		}},
		slice: {fields: [['ticks a second', 250, 100, 1000], ['slice, ms', 3, 0.1, 100], ['CPUs of the machine', 2, 1, 16]], text: function (v) {
			var head = 'for 5s\nhz ' + v[0] + '\ncpus ' + v[2] + '\n', tasks = 'task a slice ' + v[1] + 'ms cpu 0: run\ntask b slice ' + v[1] + 'ms cpu 0: run';
			var r = core.run(head + tasks), ideal = core.run(head + 'hrtick on\n' + tasks);
			return r.error || 'Two busy tasks run ' + ms(r.figures[0].run) + ' ms each in turn; with an ideal timer ' + ms(ideal.figures[0].run) + ' ms.';
		}},
		quota: {fields: [['quota, ms', 20, 1, 1000], ['period, ms', 100, 1, 1000], ['threads, a CPU each', 1, 1, 16]], text: function (v, out) {
			var points = [], k, i, r, t, got, demand;
			for (k = 1; k <= 10; k++) {
				t = 'for 2s\nevents 1000000\ncpus ' + v[2] + '\ngroup g quota ' + v[0] + 'ms/' + v[1] + 'ms\n';
				for (i = 0; i < v[2]; i++)
					t += 'task t' + i + ' cpu ' + i + ' in g: ' + (k === 10 ? 'run\n' : 'run ' + k + 'ms, sleep ' + (10 - k) + 'ms\n');
				r = core.run(t);
				if (r.error)
					return r.error;
				for (got = 0, i = 0; i < v[2]; i++)
					got += r.figures[i].cpu / r.t;
				points.push([demand = k * v[2] / 10, got]);
			}
			out.replaceChildren(quotaPlot(points, v[0] / v[1], v[2]));
			return 'Asked for ' + demand + (demand === 1 ? ' CPU' : ' CPUs') + ', got ' + Math.round(got * 1000) / 1000 + '; the quota is ' + Math.round(1000 * v[0] / v[1]) / 1000 + '.';
		}},
		pool: {fields: [['creating a thread, \u00b5s', 30, 0, 1e6], ['handing a job over, \u00b5s', 5, 0, 1e6], ['threads of the pool', 8, 1, 1000]], text: function (v) {
			if (v[1] >= v[0])
				return 'A hand-over that costs as much as a creation never pays.';
			return 'The pool costs less from ' + Math.ceil(v[2] * v[0] / (v[0] - v[1])) + ' jobs on.';
		}}
	};

	/* What a group asks for against what it gets, both in CPUs on one axis. */
	function quotaPlot(points, quota, cpus) {
		var root = S.svg('svg', {width: '100%', height: 26 * points.length + 20, role: 'img', 'aria-label': 'Asked for and got, in CPUs: ' +
			points.map(function (p) { return p[0] + ' and ' + Math.round(1000 * p[1]) / 1000; }).join('; ')});
		points.forEach(function (p, i) {
			root.append(S.svg('rect', {x: 0, y: 26 * i + 2, width: 100 * p[0] / cpus + '%', height: 18, class: 'sim-asked'}));
			root.append(S.svg('rect', {x: 0, y: 26 * i + 6, width: 100 * p[1] / cpus + '%', height: 10, class: 'sim-c0'}));
		});
		var x = 100 * Math.min(quota / cpus, 1) + '%';
		root.append(S.svg('line', {x1: x, x2: x, y1: 0, y2: 26 * points.length, class: 'sim-now'}));
		var words = S.svg('text', {x: 0, y: 26 * points.length + 14, class: 'sim-name'});
		words.textContent = 'Outline: asked for. Bar: got. Line: the quota. Full width: ' + cpus + (cpus === 1 ? ' CPU' : ' CPUs');
		root.append(words);
		return root;
	}

	function calculator(host) {
		var c = CALC[host.getAttribute('data-calc')], out = el('p', {role: 'status', class: 'sim-result'}), plot = el('div');
		var given = ['create', 'handover', 'threads'].map(function (k) { return host.getAttribute('data-' + k); });
		var fields = c.fields.map(function (f, i) { return field(f[0], given[i] || f[1], f[2], f[3]); });
		function compute() {
			var v = fields.map(function (f) { return +f.input.value; });
			var bad = fields.some(function (f) { return !f.input.value || !f.input.checkValidity(); });
			out.textContent = bad ? 'Each number within its bounds, please: ' + c.fields.map(function (f) { return f[0] + ' ' + f[2] + ' to ' + f[3]; }).join(', ') + '.'
				: c.text(v, plot);
		}
		host.append(el('form', {class: 'sim-set', input: compute, submit: function (e) { e.preventDefault(); }}));
		fields.forEach(function (f) { host.firstChild.append(f.node); });
		host.append(out, plot);
		compute();
	}

	/* #sim=TEXT&beside=PROFILE */
	function shared() {
		var m = /^#sim=([^&]*)(?:&beside=(\w+))?/.exec(location.hash);
		try {
			return m && {text: decodeURIComponent(m[1]), beside: m[2] || ''};
		} catch (e) {
			return null;
		}
	}

	function open(host, from) {
		var figure = host.closest('figure'), text = from ? from.text : figure.querySelector('[data-scenario]').textContent, still = figure.querySelector('.still');
		S.ready(function () {
			core = S.core();
			host.replaceChildren();
			var w = new Widget(host, text);
			if (still)
				still.hidden = true;
			if (from && from.beside) {
				w.beside.input.value = from.beside;
				w.run();
			}
			host.runq = w;
			host.setAttribute('data-ready', '');
			if (!host.hasAttribute('data-open'))
				w.main.box.focus();
		});
	}

	document.querySelectorAll('.sim').forEach(function (host) {
		if (host.hasAttribute('data-open'))
			open(host, shared());
		else
			host.append(button('Step through it', function () { open(host, null); }));
	});
	document.querySelectorAll('.calculator').forEach(function (host) {
		S.ready(function () {
			core = S.core();
			calculator(host);
		});
	});
	window.addEventListener('hashchange', function () {
		var host = document.querySelector('.sim[data-link]');
		if (host && shared())
			open(host, shared());
	});
})();

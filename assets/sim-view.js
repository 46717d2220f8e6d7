/* A simulation's controls and its timeline: one tab stop, arrow keys, and every move told to a polite live region. Needs sim.js. */
(function () {
	'use strict';

	var S = window.runqSim, el = S.el, ms = S.ms, core, next_id = 0;
	var WORDS = {ready: 'waits', running: 'runs', sleeping: 'sleeps', throttled: 'is throttled', idle: 'idle', absent: ''};

	function nameOf(r, task) { return task < 0 ? 'idle' : r.tasks[task].name; }

	function reason(rec) {
		return core.reasons[rec.reason] + (rec.point && rec.reason && rec.reason < 4 ? ', ' + core.points[rec.point] : '');
	}

	function tell(r, rec) {
		if (rec.kind === S.SWITCH)
			return nameOf(r, rec.from) + ' \u2192 ' + nameOf(r, rec.to) + ': ' + reason(rec);
		if (rec.kind === S.WOKEN)
			return nameOf(r, rec.to) + ' wakes beside ' + nameOf(r, rec.from) + ': ' + reason(rec);
		return (rec.to >= 0 ? nameOf(r, rec.to) : rec.other >= 0 && r.groups[rec.other] ? 'group ' + r.groups[rec.other].name : 'CPU ' + rec.cpu) +
			': ' + reason(rec);
	}

	/* --- lanes of segments, from the log alone --- */

	function inside(r, task, group) {
		for (var g = r.tasks[task].group; g >= 0; g = r.groups[g].parent)
			if (g === group)
				return true;
		return false;
	}

	function lane(name, kind) { return {name: name, kind: kind, segs: []}; }

	function push(l, from, to, state, task, rec, end) {
		if (to > from && state !== 'absent')
			l.segs.push({from: from, to: to, state: state, task: task, rec: rec, end: end});
	}

	function cpuLanes(r) {
		var used = 0, list = [];
		r.tasks.forEach(function (t) { used |= t.cpus; });
		for (var c = 0; c < r.cpus; c++) {
			if (!(used >> c & 1))
				continue;
			var l = lane('CPU ' + c, 'cpu'), since = 0, task = -1, at = -1;
			for (var i = 0; i < r.n; i++) {
				var rec = r.log[i];
				if (rec.kind !== S.SWITCH || rec.cpu !== c || rec.to === task)
					continue;
				push(l, since, rec.t, task < 0 ? 'idle' : 'running', task, at, i);
				since = rec.t; task = rec.to; at = i;
			}
			push(l, since, r.t, task < 0 ? 'idle' : 'running', task, at, -1);
			list.push(l);
		}
		return list;
	}

	function taskLanes(r) {
		var codes = core.codes;
		return r.tasks.map(function (t, task) {
			var l = lane(t.name, 'task'), state = 'absent', since = 0, at = -1, i, rec, next;
			for (i = 0; i < r.n; i++) {
				rec = r.log[i]; next = state;
				if (rec.kind === S.SWITCH && rec.to === task)
					next = 'running';
				else if (rec.kind === S.SWITCH && rec.from === task && rec.from !== rec.to)
					next = codes.sleep[rec.reason] ? 'sleeping' : codes.throttle[rec.reason] ? 'throttled' : codes.exit[rec.reason] ? 'absent' : 'ready';
				else if (rec.kind === S.WOKEN && rec.to === task)
					next = codes.wakeThrottled[rec.reason] ? 'throttled' : state === 'running' ? state : 'ready';
				else if (rec.kind > S.WOKEN && codes.throttle[rec.reason] && state === 'ready' && inside(r, task, rec.other))
					next = 'throttled';
				else if (rec.kind > S.WOKEN && state === 'throttled' && codes.release[rec.reason] && (rec.to === task || inside(r, task, rec.other)))
					next = 'ready';
				if (next === state)
					continue;
				push(l, since, rec.t, state, task, at, i);
				state = next; since = rec.t; at = i;
			}
			push(l, since, r.t, state, task, at, -1);
			return l;
		});
	}

	/* A recording of runq trace: who ran on each CPU. */
	function traceLanes(trace) {
		var list = [], c, i, e, l, since, task;
		for (c = 0; c < trace.cpus; c++) {
			l = lane('recorded, CPU ' + c, 'trace'); since = 0; task = 0;
			for (i = 0; i < trace.events.length; i++) {
				e = trace.events[i];
				if (e[1] !== c || e[2] !== 'switch')
					continue;
				push(l, since, e[0], task === 0 ? 'idle' : 'running', task - 2, -1, -1);
				since = e[0]; task = e[4];
			}
			push(l, since, trace.duration_ns, task === 0 ? 'idle' : 'running', task - 2, -1, -1);
			list.push(l);
		}
		return list;
	}

	function segText(p, l, s) {
		var who = l.kind === 'task' ? l.name + ' ' + WORDS[s.state] : s.task === -1 && l.kind === 'trace' && s.state === 'running'
			? 'another process' : s.task < 0 ? 'idle' : p.names(s.task);
		var text = who + ', ' + ms(s.from) + ' to ' + ms(s.to) + ' ms';
		if (s.end >= 0 && l.kind !== 'trace') {
			var rec = p.r.log[s.end];
			text += rec.kind === S.SWITCH && l.kind === 'cpu' ? ', then ' + nameOf(p.r, rec.to) + ': ' + reason(rec) : ': ' + reason(rec);
		}
		return text;
	}

	function autoWindow(r) {
		var last = 0, next, n, i, d, k, steps = [1, 2, 5];
		for (d = 1e6; last < r.t; d *= 10)
			for (k = 0; k < 3 && last < r.t; k++) {
				next = Math.min(d * steps[k], r.t);
				for (n = 0, i = 0; i < r.n && r.log[i].t < next; i++)
					n += r.log[i].kind === S.SWITCH;
				if (last && n > 48)
					return last;
				last = next;
			}
		return last;
	}

	/* One timeline: box (the tab stop), picture, and what is selected in it. */
	function Panel(widget, title) {
		var p = this;
		p.w = widget;
		p.at = {lane: 0, seg: 0};
		p.badge = el('p', {class: 'sim-badge'});
		p.box = el('div', {class: 'sim-line', tabindex: '0', role: 'application', 'aria-roledescription': 'timeline', 'aria-label': title,
			'aria-describedby': widget.hint.id, keydown: function (e) { p.key(e); }, click: function (e) { p.click(e); },
			focus: function () { p.say(); p.draw(); }, blur: function () { p.draw(); }});
		p.node = el('div', {class: 'sim-panel'}, p.badge, p.box);
	}

	Panel.prototype.names = function (task) { return task >= 0 && this.r.tasks[task] ? this.r.tasks[task].name : 'another task'; };

	Panel.prototype.set = function (r) {
		this.r = r;
		this.lanes = cpuLanes(r).concat(taskLanes(r), this.w.trace ? traceLanes(this.w.trace) : []);
		this.at = {lane: 0, seg: 0};
		this.badge.textContent = core.labels[r.profile] + ', ' + r.cpus + (r.cpus === 1 ? ' CPU' : ' CPUs') +
			(r.textbook ? '' : ', ' + r.hz + '\u00a0Hz' + (r.hrtick ? ', ideal timer' : '')) + (r.stopped ? '; ' + r.stopped : '');
		this.draw();
	};

	Panel.prototype.find = function (l, t) {
		var segs = this.lanes[l].segs, i = 0;
		while (i + 1 < segs.length && segs[i + 1].from <= t)
			i++;
		return i;
	};

	Panel.prototype.say = function () {
		var l = this.lanes[this.at.lane], s = l.segs[this.at.seg];
		this.w.say(l.name + ': ' + (s ? segText(this, l, s) : 'nothing'));
	};

	Panel.prototype.key = function (e) {
		var l = this.lanes[this.at.lane], moves = {ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9}, up = {ArrowUp: -1, ArrowDown: 1}[e.key], s;
		if (e.ctrlKey || e.altKey || e.metaKey)
			return;
		if (e.key === 'Escape') {
			this.w.steps.querySelector('button').focus();
		} else if (e.key === 'Enter') {
			s = l.segs[this.at.seg];
			if (s && s.rec >= 0)
				this.w.explain(this, s.rec);
		} else if (up) {
			s = l.segs[this.at.seg];
			this.at.lane = Math.max(0, Math.min(this.lanes.length - 1, this.at.lane + up));
			this.at.seg = this.find(this.at.lane, s ? s.from : 0);
		} else if (moves[e.key]) {
			this.at.seg = Math.max(0, Math.min(l.segs.length - 1, this.at.seg + moves[e.key]));
		} else {
			return;
		}
		e.preventDefault();
		if (e.key === 'Escape' || e.key === 'Enter')
			return;
		s = this.lanes[this.at.lane].segs[this.at.seg];
		if (s)
			this.w.moveTo(s.from, this, s.rec);
		this.say();
	};

	Panel.prototype.click = function (e) {
		var l = e.target.getAttribute('data-lane'), i = e.target.getAttribute('data-seg');
		if (l === null)
			return;
		this.at = {lane: +l, seg: +i};
		var s = this.lanes[+l].segs[+i];
		this.w.moveTo(s.from, this, s.rec);
		if (s.rec >= 0)
			this.w.explain(this, s.rec);
		this.say();
	};

	var LANE = 45, BAR = 20, TOP = 12;

	function patterns(id) {
		var defs = S.svg('defs', {}), marks = {h: 'M0 6L6 0M-1 1L1 -1M5 7L7 5', x: 'M0 0L6 6M0 6L6 0'}, k;
		for (k in marks) {
			var p = S.svg('pattern', {id: id + k, width: 6, height: 6, patternUnits: 'userSpaceOnUse'});
			p.append(S.svg('path', {d: marks[k], class: 'sim-hatch-' + k}));
			defs.append(p);
		}
		return defs;
	}

	Panel.prototype.bar = function (root, l, i, s, from, to, y, id) {
		var x = 100 * (Math.max(s.from, from) - from) / (to - from), w = Math.max(100 * (Math.min(s.to, to) - from) / (to - from) - x, 0.15);
		var flat = s.state === 'sleeping' || s.state === 'idle', high = flat ? 2 : s.state === 'ready' ? 8 : BAR;
		var colour = s.state === 'running' ? 'c' + (s.task < 0 ? 'x' : s.task % 5) : s.state;
		var on = this.at.lane === l && this.at.seg === i;
		var at = {x: x + '%', width: w + '%', y: y + (BAR - high) / 2, height: high, class: 'sim-' + colour, 'data-lane': l, 'data-seg': i};
		root.append(S.svg('rect', at));
		if (s.state === 'ready' || s.state === 'throttled') {
			at.class = '';
			at.fill = 'url(#' + id + (s.state === 'ready' ? 'h' : 'x') + ')';
			root.append(S.svg('rect', at));
		}
		/* As many stripes as tasks before it, as in the pictures. */
		for (var k = 1, n = s.state === 'running' && s.task > 0 ? s.task % 5 : 0; k <= n; k++)
			root.append(S.svg('rect', {x: x + '%', width: w + '%', y: y + BAR * k / (n + 1) - 1, height: 2, class: 'sim-gap', 'data-lane': l, 'data-seg': i}));
		if (on)
			root.append(S.svg('rect', {x: x + '%', width: w + '%', y: y - 3, height: BAR + 6, class: 'sim-on'}));
		var name = s.state === 'running' && s.task >= 0 ? this.names(s.task) : '';
		if (name && w > 1.6 + 1.5 * name.length) {
			var t = S.svg('text', {x: x + w / 2 + '%', y: y + 14, 'text-anchor': 'middle', class: 'sim-in'});
			t.textContent = name;
			root.append(t);
		}
	};

	Panel.prototype.draw = function () {
		var p = this, w = p.w, r = p.r, id = 'simp' + (p.id = p.id || ++next_id), from = w.from(), to = from + w.span, tick = 1e9 / r.hz, k;
		var high = TOP + LANE * p.lanes.length + 22, root = S.svg('svg', {width: '100%', height: high, 'aria-hidden': 'true'});
		root.append(patterns(id));
		if (!r.textbook && w.span / tick <= 250)
			for (k = Math.ceil((from - r.offset) / tick); r.offset + k * tick <= to; k++) {
				var x = 100 * (r.offset + k * tick - from) / (to - from) + '%';
				root.append(S.svg('line', {x1: x, x2: x, y1: 0, y2: 6, class: 'sim-tick'}));
			}
		p.lanes.forEach(function (l, n) {
			var y = TOP + LANE * n, label = S.svg('text', {x: 0, y: y + 11, class: 'sim-name'});
			label.textContent = l.name;
			root.append(label);
			l.segs.forEach(function (s, i) {
				if (s.to > from && s.from < to)
					p.bar(root, n, i, s, from, to, y + 19, id);
			});
		});
		var c = 100 * (w.now - from) / (to - from) + '%';
		root.append(S.svg('line', {x1: c, x2: c, y1: 0, y2: high - 20, class: 'sim-now'}));
		[0, 0.25, 0.5, 0.75, 1].forEach(function (f) {
			var t = S.svg('text', {x: 100 * f + '%', y: high - 5, class: 'sim-name', 'text-anchor': f === 0 ? 'start' : f === 1 ? 'end' : 'middle'});
			t.textContent = ms(Math.round(from + f * (to - from))) + (f === 1 ? '\u00a0ms' : '');
			root.append(t);
		});
		p.box.replaceChildren(root);
	};

	/* The record at or before a time; -1 before all. */
	Panel.prototype.recordAt = function (t) {
		var lo = 0, hi = this.r.n;
		while (lo < hi) {
			var mid = lo + hi >> 1;
			if (this.r.log[mid].t <= t)
				lo = mid + 1;
			else
				hi = mid;
		}
		return lo - 1;
	};

	/* --- the table behind "why" --- */

	function whyCells(r, m) {
		var state = m.running ? 'runs' : m.delayed ? 'sleeps, still queued' : m.throttled ? 'throttled' : m.queued ? 'waits' : 'sleeps';
		var name = m.task >= 0 ? r.tasks[m.task].name : m.group >= 0 ? 'group ' + r.groups[m.group].name : 'fair server';
		var t = m.task >= 0 ? r.tasks[m.task] : null, profile = core.profiles[r.profile];
		if (r.textbook)
			return [name, state, m.level, m.left > 9e15 ? '' : ms(m.left)];
		if (t && (t.policy === 3 || t.policy === 4))
			return [name, state, 'priority ' + t.prio, '', '', '', '', ''];
		if (!t && m.group < 0 || t && t.policy === 5)
			return [name, state, 'budget ' + ms(m.left) + ' ms', '', ms(m.deadline), '', '', ''];
		if (profile === 'cfs65')
			return [name, state, m.weight, ms(m.v)];
		return [name, state, m.weight, ms(m.v), ms(m.deadline), ms(m.average), ms(m.lag), m.queued ? m.eligible ? 'yes' : 'no' : ''];
	}

	function whyTable(r, rec, members) {
		var cfs = core.profiles[r.profile] === 'cfs65', head = r.textbook ? ['task', 'state', 'level', 'quantum left, ms'] : cfs
			? ['task', 'state', 'weight', 'v, ms'] : ['task', 'state', 'weight', 'v, ms', 'deadline, ms', 'V, ms', 'lag, ms', 'eligible'];
		var body = el('tbody'), row = el('tr');
		head.forEach(function (h, i) { row.append(el('th', {scope: 'col', class: i > 1 && h !== 'eligible' ? 'r' : ''}, h)); });
		members.forEach(function (m) {
			if (m.cpu !== rec.cpu)
				return;
			var tr = el('tr');
			whyCells(r, m).forEach(function (c, i) {
				tr.append(i ? el('td', {class: i > 1 && i < 7 ? 'r' : ''}, String(c)) : el('th', {scope: 'row'}, c));
			});
			body.append(tr);
		});
		return el('div', {class: 'tbl', role: 'region', tabindex: '0', 'aria-label': 'Members of the queue'}, el('table', {}, el('thead', {}, row), body));
	}

	S.Panel = Panel;
	S.tell = tell;
	S.whyTable = whyTable;
	S.autoWindow = autoWindow;
	S.ready = function (then) {
		S.start(function () {
			core = S.core();
			then();
		});
	};
})();
